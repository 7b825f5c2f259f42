/** Regenerates rule-facts.json: an example of each rule, and what oasdiff calls it. */
import { readFileSync, writeFileSync } from "node:fs";
import { readTable } from "../tests/oasdiff/table.ts";
import { factsText, ruleFacts } from "../tests/rule-facts.ts";

const table = readTable(readFileSync(new URL("../oasdiff.tsv", import.meta.url), "utf8"));
writeFileSync(new URL("../rule-facts.json", import.meta.url), factsText(ruleFacts(table)));
