/** Lints spec/: redocly with redocly.yaml, then our own rules. Exit code 1 for any finding. */
import { fileURLToPath } from "node:url";
import { redocly } from "../src/generate/bundle.ts";
import { findingText } from "../src/lint/finding.ts";
import { lint, readSpecification } from "../src/lint/lint.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

try {
  redocly(root, "lint", "security-platform", "--format=stylish", "--max-problems=1000");
} catch (error) {
  process.stderr.write(String((error as { stdout?: string }).stdout ?? error));
  process.exitCode = 1;
}
const findings = lint(readSpecification(fileURLToPath(new URL("../../../spec", import.meta.url))));
for (const finding of findings) process.stderr.write(`spec/${findingText(finding)}\n`);
if (findings.length > 0) process.exitCode = 1;
