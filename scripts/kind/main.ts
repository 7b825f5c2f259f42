/**
 * `npm run kind`: adds a kind of record to a copy of the repository, checks it, and prints the lines that it takes.
 * Fails if CONTRIBUTING says otherwise.
 */
import { resolve } from "node:path";
import { checkKind, documentedCost } from "./check-kind.ts";

const root = resolve(import.meta.dirname, "../..");
const cost = checkKind(root);
const documented = documentedCost(root);
console.log(
  `A kind of record takes ${cost.yaml} lines of YAML and ${cost.typescript} of TypeScript.`,
);
if (cost.yaml !== documented.yaml || cost.typescript !== documented.typescript) {
  console.error(
    `kind: CONTRIBUTING.md says ${documented.yaml} of YAML and ${documented.typescript} of TypeScript`,
  );
  process.exitCode = 1;
}
