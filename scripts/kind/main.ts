/** `npm run kind`: adds a kind of record to a copy of the repository, checks it, and prints the lines that it takes. */
import { resolve } from "node:path";
import { checkKind } from "./check-kind.ts";

const { yaml, typescript } = checkKind(resolve(import.meta.dirname, "../.."));
console.log(`A kind of record takes ${yaml} lines of YAML and ${typescript} of TypeScript.`);
