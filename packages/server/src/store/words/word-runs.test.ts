import { runs as numberOfRuns } from "@security-platform/fql/arbitraries";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { runsIn, runsOf, sequenceOf, startOf } from "./word-runs.ts";

const word = fc.constantFrom("1", "10", "0", "a", "ab", "東京", "𝒳");
const text = fc.array(word, { maxLength: 12 });
const phrase = fc.array(word, { minLength: 1, maxLength: 7 });

/** The index of a text: its words and runs. */
const indexOf = (words: readonly string[]): ReadonlySet<string> =>
  new Set([...words, ...(runsOf(words) ?? [])]);

const startsIn = (index: ReadonlySet<string>, start: string): boolean =>
  [...index].some((entry) => entry.startsWith(start));

test("the runs of a phrase of up to four words tell exactly which texts contain it", () => {
  fc.assert(
    fc.property(text, phrase, (words, searched) => {
      const index = indexOf(words);
      const { runs, starts, exact } = runsIn(searched);
      const matched =
        runs.every((run) => index.has(run)) && starts.every((start) => startsIn(index, start));
      const contained = sequenceOf(words).includes(sequenceOf(searched));
      expect(exact).toBe(searched.length <= 4);
      if (contained) expect(matched).toBe(true);
      if (exact) expect(matched).toBe(contained);
    }),
    { numRuns: numberOfRuns(500) },
  );
});

test("a start occurs only in the index of texts that contain the letters and digits", () => {
  fc.assert(
    fc.property(text, phrase, (words, searched) => {
      const start = startOf(searched);
      expect(start === null).toBe(searched.length > 4);
      if (start === null || !startsIn(indexOf(words), start)) return;
      expect(words.join("")).toContain(searched.join(""));
    }),
    { numRuns: numberOfRuns(500) },
  );
  expect(startOf([])).toBeNull();
  expect(startOf(["a", "b".repeat(64)])).toBeNull();
});

test("a long phrase is looked up by few of its runs", () => {
  const long = Array.from({ length: 1_000 }, (_, at) => ((at * 7_919) % 90_001).toString(36));
  const { runs, exact } = runsIn(long);
  expect(exact).toBe(false);
  expect(runs.length).toBeGreaterThan(16);
  expect(runs.length).toBeLessThanOrEqual(32);
  expect(runsOf(long)).toEqual(expect.arrayContaining([...runs]));
});

test("the runs of a text have a limited size", () => {
  const long = Array.from({ length: 15_000 }, (_, at) => at.toString(36).padStart(4, "w"));
  expect(runsOf(long)).toBeNull();
  const size = (runsOf(long.slice(0, 13_000)) ?? []).join(" ").length;
  expect(size).toBeGreaterThan(200_000);
  expect(size).toBeLessThan(300_000);
});

test("a sequence contains whole words only", () => {
  const sequence = sequenceOf(["10", "0", "3", "70"]);
  expect(sequence).toContain(sequenceOf(["0", "3"]));
  expect(sequence).not.toContain(sequenceOf(["3", "7"]));
});
