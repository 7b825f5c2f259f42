import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { rules } from "../src/rules/rules.ts";
import { compare, verdictsOf } from "../src/testing/documents.ts";
import { readTable } from "./oasdiff/table.ts";
import { cases } from "./rule-cases.ts";

describe("a change", () => {
  test.each(cases)("of %s", (_, before, after, forward, backward) => {
    expect(verdictsOf(compare(before, after))).toEqual(forward);
    expect(verdictsOf(compare(after, before))).toEqual(backward);
  });
});

const ruleOf = (line: string): string => line.split(" ")[0] ?? "";

test("every rule has an example edit, here or in the table of oasdiff's checks", () => {
  const table = readTable(readFileSync(new URL("../oasdiff.tsv", import.meta.url), "utf8"));
  const withOwnTests = [
    "consumer-does-not-compile",
    "contract-case-fails",
    "engine-only",
    "parameter-renamed",
  ];
  const shown = new Set([
    ...withOwnTests,
    ...cases.flatMap(([, , , forward, backward]) => [...forward, ...backward]).map(ruleOf),
    ...table.flatMap((row) => row.rules.split(", ").map(ruleOf)),
  ]);
  expect(Object.keys(rules).filter((rule) => !shown.has(rule))).toEqual([]);
});
