import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkVersion, versionIn } from "../src/policy/version.ts";
import { explainedRules } from "../src/rules/explain.ts";
import { compare, verdictsOf } from "../src/testing/documents.ts";
import { pairs } from "./families/all.ts";
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

test("what a rule says of its severity is what its example and all other pairs get", () => {
  const explained = new Map(explainedRules().map((each) => [each.rule, each]));
  const sidesOf = (rule: string) => explained.get(rule)?.directions ?? [];
  for (const { rule, example } of explained.values()) {
    if (example === null) continue;
    const side = sidesOf(rule).find(({ direction }) => direction === example.direction);
    expect(side?.severity, rule).toBe(example.severity);
  }
  const seen = new Set<string>();
  const compared = [
    ...pairs.map(({ base, revision }) => [base, revision] as const),
    ...cases.map(([, before, after]) => [before, after] as const),
    ...[...explained.values()].flatMap(({ example }) =>
      example === null ? [] : [[example.base, example.revision] as const],
    ),
  ];
  for (const [one, other] of compared) {
    for (const { changes } of [compare(one, other), compare(other, one)]) {
      // A member that is not used in a direction is a note.
      for (const { rule, direction, verdict } of changes) {
        if (verdict !== "none") seen.add(`${rule} ${direction} ${verdict}`);
      }
    }
  }
  const said = [...explained.values()].flatMap(({ rule, directions }) =>
    directions.flatMap(({ direction, severity, unless }) =>
      [severity, ...unless.map((each) => each.severity)].map(
        (verdict) => `${rule} ${direction} ${verdict}`,
      ),
    ),
  );
  expect([...seen].filter((each) => !said.includes(each))).toEqual([]);
  expect(seen.size).toBeGreaterThan(150);
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
