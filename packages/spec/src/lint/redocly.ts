import { redocly } from "../generate/bundle.ts";

/** Lints all documents by the rules of redocly.yaml. Returns the report of redocly, or null without problems. */
export function lintByRedocly(root: string): string | null {
  const words = [
    "security-platform",
    "companion",
    "control",
    "--format=stylish",
    "--max-problems=1000",
  ];
  try {
    redocly(root, "lint", ...words);
    return null;
  } catch (error) {
    return (error as { stdout?: string }).stdout || String(error);
  }
}
