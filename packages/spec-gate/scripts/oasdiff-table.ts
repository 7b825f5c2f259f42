/** Regenerates oasdiff.tsv: our findings for the edits that demonstrate oasdiff's checks. */
import { readFileSync, writeFileSync } from "node:fs";
import { judgedRow, readTable, writeTable } from "../tests/oasdiff/table.ts";

const file = new URL("../oasdiff.tsv", import.meta.url);
const rows = readTable(readFileSync(file, "utf8"));
writeFileSync(file, writeTable(rows.map(({ check, level }) => judgedRow(check, level))));
