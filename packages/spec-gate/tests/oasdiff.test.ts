import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { rules } from "../src/rules/rules.ts";
import { judgedRow, oasdiffVersion, readTable, writeTable } from "./oasdiff/table.ts";

const file = new URL("../oasdiff.tsv", import.meta.url);
const text = readFileSync(file, "utf8");
const table = readTable(text);

test("the table names its version, and contains every check of it once with its level", () => {
  const checks = readFileSync(
    new URL(`oasdiff/checks-${oasdiffVersion}.tsv`, import.meta.url),
    "utf8",
  );
  expect(text.split("\n")[0]).toContain(`oasdiff ${oasdiffVersion}`);
  expect(table.map(({ check, level }) => `${check}\t${level}`).toSorted()).toEqual(
    checks.trimEnd().split("\n").toSorted(),
  );
});

test("every row has the result of the comparison of its edit", () => {
  // After a change of rules: node scripts/oasdiff-table.ts
  expect(writeTable(table.map(({ check, level }) => judgedRow(check, level)))).toBe(text);
});

test("every row without a finding, or with another verdict, has a reason", () => {
  for (const { check, why } of table) expect(why, check).not.toBe("UNEXPLAINED");
  expect(table.filter(({ found }) => found === "yes").length).toBeGreaterThanOrEqual(493);
});

test("every rule in a row exists", () => {
  const named = table.flatMap((row) => [...row.rules.matchAll(/([\w-]+) \(/g)].map(([, id]) => id));
  for (const id of named) expect(Object.keys(rules)).toContain(id);
});
