import { runs as numberOfRuns } from "@security-platform/fql/arbitraries";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { hashedRunsIn, hashedRunsOf } from "./hashed-runs.ts";

const words = fc.array(fc.constantFrom("10", "0", "3", "7", "host", "東京", "𝒳"), {
  maxLength: 12,
});

test("a text has the runs of each of its phrases", () => {
  fc.assert(
    fc.property(words, words, words, (before, phrase, after) => {
      const all = new Set(hashedRunsOf([...before, ...phrase, ...after]));
      for (const run of hashedRunsIn(phrase)) expect(all).toContain(run);
    }),
    { numRuns: numberOfRuns() },
  );
});

test("other words, and other orders of words, have other runs", () => {
  expect(hashedRunsOf(["10", "0", "3", "7"])).toHaveLength(5);
  const address = new Set(hashedRunsOf(["10", "0", "3", "7"]));
  for (const other of [
    ["7", "3", "0"],
    ["10", "0", "37"],
    ["0", "10"],
    ["3", "70"],
  ]) {
    expect(
      hashedRunsIn(other).every((run) => address.has(run)),
      other.join("."),
    ).toBe(false);
  }
  expect(hashedRunsIn(["alone"])).toEqual([]);
  expect(hashedRunsOf(["alone"])).toEqual([]);
});

test("a long phrase is looked up by few of its runs, and a long text has a limited number", () => {
  const long = Array.from({ length: 100_000 }, (_, index) =>
    ((index * 7_919) % 90_001).toString(36),
  );
  const runs = hashedRunsIn(long);
  expect(runs.length).toBeGreaterThan(16);
  expect(runs.length).toBeLessThanOrEqual(32);
  const all = hashedRunsOf(long);
  expect(all).toEqual(expect.arrayContaining([...runs]));
  expect(all.length).toBeLessThanOrEqual(36 ** 3);
  for (const run of all) expect(run).toMatch(/^_[0-9a-z]{4}$/);
});
