import { describe, expect, test } from "vitest";
import { and, everything, or, type Condition } from "./ast.ts";

const [a, b, c] = ["a", "b", "c"].map((property): Condition => ({
  kind: "condition",
  property,
  operator: "=",
  negated: false,
  value: { kind: "null" },
})) as [Condition, Condition, Condition];

describe("and, or", () => {
  test("flatten groups of their own kind, and only those", () => {
    expect(and([and([a, b]), c])).toEqual({ kind: "and", operands: [a, b, c] });
    expect(or([a, or([b, c])])).toEqual({ kind: "or", operands: [a, b, c] });
    expect(and([or([a, b]), c])).toEqual({
      kind: "and",
      operands: [{ kind: "or", operands: [a, b] }, c],
    });
  });

  test("return a single operand unchanged", () => {
    expect(and([a])).toBe(a);
    expect(or([a])).toBe(a);
  });

  test("treat everything as the neutral element of and, and as the result of or", () => {
    expect(and([everything, a, everything])).toBe(a);
    expect(and([everything])).toEqual(everything);
    expect(or([a, everything])).toEqual(everything);
  });

  test("without operands, and matches everything and or throws", () => {
    expect(and([])).toEqual(everything);
    expect(() => or([])).toThrow(RangeError);
  });
});
