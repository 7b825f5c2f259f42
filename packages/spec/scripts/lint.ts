/** Lints spec/ with redocly (redocly.yaml) and with our own rules. Exit code 1 for any finding. */
import { fileURLToPath } from "node:url";
import { redocly } from "../src/generate/bundle.ts";
import { findingText } from "../src/lint/finding.ts";
import { lint, readSpecification } from "../src/lint/lint.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

const fail = (text: string): void => {
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
};

try {
  redocly(
    root,
    "lint",
    "security-platform",
    "companion",
    "--format=stylish",
    "--max-problems=1000",
  );
} catch (error) {
  fail((error as { stdout?: string }).stdout || String(error));
}
try {
  for (const finding of lint(readSpecification(`${root}spec`)))
    fail(`spec/${findingText(finding)}`);
} catch (error) {
  fail(`spec/${(error as Error).message}`);
}
