/** Lints spec/ with redocly (redocly.yaml) and with our own rules. Exit code 1 for any finding. */
import { fileURLToPath } from "node:url";
import { findingText } from "../src/lint/finding.ts";
import { lint, readSpecification } from "../src/lint/lint.ts";
import { lintByRedocly } from "../src/lint/redocly.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

const fail = (text: string): void => {
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
};

const report = lintByRedocly(root);
if (report !== null) fail(report);
try {
  for (const finding of lint(readSpecification(`${root}spec`)))
    fail(`spec/${findingText(finding)}`);
} catch (error) {
  fail(`spec/${(error as Error).message}`);
}
