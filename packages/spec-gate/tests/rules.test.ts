import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkVersion, versionIn } from "../src/policy/version.ts";
import { explainedRules } from "../src/rules/explain.ts";
import { compare, verdictsOf } from "../src/testing/documents.ts";
import { readTable } from "./oasdiff/table.ts";
import { cases } from "./rule-cases.ts";
import { ruleFacts, withoutPair } from "./rule-facts.ts";

describe("a change", () => {
  test.each(cases)("of %s", (_, before, after, forward, backward) => {
    expect(verdictsOf(compare(before, after))).toEqual(forward);
    expect(verdictsOf(compare(after, before))).toEqual(backward);
  });
});

const table = readTable(readFileSync(new URL("../oasdiff.tsv", import.meta.url), "utf8"));

/** Rules that fail a run with an option, beside the comparison. */
const ofVersions = new Set(["version-not-raised", "version-decreased"]);

// After a change of rules: node scripts/rule-facts.ts
test("every rule has two documents that show it, unless it needs more than documents", () => {
  const explained = explainedRules().filter(({ directions }) => directions.length > 0);
  const without = explained.filter(({ example }) => example === null);
  expect(without.map(({ rule }) => rule)).toEqual(withoutPair);
  for (const { rule, example } of explained) {
    if (example === null) continue;
    const { base, revision, direction, severity, message } = example;
    const { changes, verdict } = compare(base, revision);
    const found = ofVersions.has(rule)
      ? checkVersion(versionIn(base), versionIn(revision), verdict)
      : changes.filter((each) => each.direction === direction && each.verdict === severity);
    expect(found, rule).toContainEqual(expect.objectContaining({ rule, message }));
  }
});

test("every rule names the checks of oasdiff that find the same", () => {
  const facts = ruleFacts(table);
  for (const { rule, oasdiff, directions } of explainedRules()) {
    if (directions.length > 0) expect(oasdiff, rule).toEqual(facts[rule]?.oasdiff);
  }
  const named = new Set(
    explainedRules().flatMap(({ oasdiff }) => oasdiff.map(({ check }) => check)),
  );
  expect(table.filter(({ check, found }) => found === "yes" && !named.has(check))).toEqual([]);
});
