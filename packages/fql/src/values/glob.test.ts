import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../arbitraries/runs.ts";
import { globParts, indexOf, matchesGlob } from "./glob.ts";

describe("globParts", () => {
  test.each([
    ["a", ["a"]],
    ["a*b", ["a", "b"]],
    ["*a", ["", "a"]],
    ["a*", ["a", ""]],
    ["*", ["", ""]],
    ["**a***b", ["", "a", "b"]],
  ])("reads %s", (pattern, parts) => {
    expect(globParts(pattern, false)).toEqual(parts);
  });

  test("folds the pieces on request", () => {
    expect(globParts("A*B\\", true)).toEqual(["a", "b\\"]);
    expect(globParts("A*B\\", false)).toEqual(["A", "B\\"]);
  });
});

describe("matchesGlob", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 });
  const patterns = fc
    .tuple(letters, fc.array(letters, { minLength: 1, maxLength: 4 }))
    .map(([first, rest]) => [first, ...rest].join("*"));

  test("agrees with the equivalent regular expression, which is safe for such patterns only", () => {
    fc.assert(
      fc.property(patterns, letters, (pattern, text) => {
        const expression = new RegExp(`^${pattern.replaceAll("*", ".*")}$`);
        expect(matchesGlob(globParts(pattern, false), text)).toBe(expression.test(text));
      }),
      { numRuns: runs(2_000) },
    );
  });

  test("does not let two pieces overlap", () => {
    expect(matchesGlob(["ab", "ba"], "aba")).toBe(false);
    expect(matchesGlob(["a", "a", "a"], "aa")).toBe(false);
    expect(matchesGlob(["a", "a", "a"], "aaa")).toBe(true);
  });
});

describe("indexOf", () => {
  test("agrees with String.indexOf", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 20 });
    const piece = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 5 });
    fc.assert(
      fc.property(text, piece, fc.nat(3), (whole, part, from) => {
        fc.pre(from <= whole.length);
        expect(indexOf(whole, part, from)).toBe(whole.indexOf(part, from));
      }),
      { numRuns: runs(2_000) },
    );
  });
});
