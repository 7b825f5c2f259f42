// `npm run changeset:check -- <verdict of the gate> [<revision>]`: fails if no changeset announces the change.
import { resolve } from "node:path";
import { isBump, missingChangeset, readChangesets } from "./spec-changeset.ts";

const [verdict = "", since] = process.argv.slice(2);
if (isBump(verdict)) {
  const changesets = await readChangesets(resolve(import.meta.dirname, ".."), since);
  const problem = missingChangeset(verdict, changesets);
  if (problem !== null) {
    console.error(`changeset: ${problem}`);
    process.exitCode = 1;
  }
} else {
  console.error(`changeset: expected none, patch, minor or major, got "${verdict}"`);
  process.exitCode = 2;
}
