import { runs } from "@security-platform/fql/arbitraries";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { trigramsIn, trigramsOf } from "./trigrams.ts";

const text = fc.string({
  unit: fc.constantFrom("a", "b", "7", "é", "東", "京", "𝒳"),
  maxLength: 40,
});

test("a text has the trigrams of each of its parts", () => {
  fc.assert(
    fc.property(text, text, text, (before, part, after) => {
      const all = trigramsOf([before + part + after]);
      for (const trigram of trigramsIn(part)) expect(all).toContain(trigram);
    }),
    { numRuns: runs() },
  );
});

test("trigrams do not cross texts", () => {
  expect(trigramsOf(["ab", "cd"])).toEqual([]);
  expect(trigramsOf(["abc", "abc"])).toHaveLength(1);
  expect(trigramsIn("ab")).toEqual([]);
});

test("a long part is looked up by few of its trigrams", () => {
  const random = Array.from({ length: 8_000 }, (_, index) =>
    ((index * 7_919) % 36 ** 2).toString(36),
  );
  const part = random.join("");
  expect(trigramsIn(part).length).toBeGreaterThan(16);
  expect(trigramsIn(part).length).toBeLessThanOrEqual(32);
  expect(trigramsOf([part])).toEqual(expect.arrayContaining([...trigramsIn(part)]));
});

test("the index has a limited number of trigrams, none of which is a word or a tenant", () => {
  const all = trigramsOf([
    Array.from({ length: 200_000 }, (_, index) =>
      String.fromCharCode(0x4e00 + (index % 20_000) + (index % 7)),
    ).join(""),
  ]);
  expect(all.length).toBeLessThanOrEqual(36 ** 3);
  for (const trigram of all) expect(trigram).toMatch(/^_[0-9a-z]{1,3}$/);
});
