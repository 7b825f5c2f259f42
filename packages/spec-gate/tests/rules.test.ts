import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { explainedRules } from "../src/rules/explain.ts";
import { compare, verdictsOf } from "../src/testing/documents.ts";
import { readTable } from "./oasdiff/table.ts";
import { cases } from "./rule-cases.ts";
import { factsText, ruleFacts, withoutPair } from "./rule-facts.ts";

describe("a change", () => {
  test.each(cases)("of %s", (_, before, after, forward, backward) => {
    expect(verdictsOf(compare(before, after))).toEqual(forward);
    expect(verdictsOf(compare(after, before))).toEqual(backward);
  });
});

const table = readTable(readFileSync(new URL("../oasdiff.tsv", import.meta.url), "utf8"));

test("every rule has the smallest pair of documents that shows it, unless it needs more than documents", () => {
  const facts = readFileSync(new URL("../rule-facts.json", import.meta.url), "utf8");
  // After a change of rules: node scripts/rule-facts.ts
  expect(factsText(ruleFacts(table))).toBe(facts);
  const without = explainedRules().filter(
    ({ example, directions }) => example === null && directions.length > 0,
  );
  expect(without.map(({ rule }) => rule)).toEqual(withoutPair);
});

test("every check of oasdiff that has rules is named by them", () => {
  const named = new Set(
    explainedRules().flatMap(({ oasdiff }) => oasdiff.map(({ check }) => check)),
  );
  expect(table.filter(({ check, found }) => found === "yes" && !named.has(check))).toEqual([]);
});
