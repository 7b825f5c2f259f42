import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../arbitraries/runs.ts";
import { isDecimal, printDecimal } from "./decimal.ts";

describe("printDecimal", () => {
  test.each([
    [0, "0"],
    [-0, "0"],
    [-1.5, "-1.5"],
    [1e21, "1000000000000000000000"],
    [-1.5e21, "-1500000000000000000000"],
    [1e-7, "0.0000001"],
    [-2.5e-10, "-0.00000000025"],
  ])("writes %d as %s", (value, text) => {
    expect(printDecimal(value)).toBe(text);
  });

  test("reads back as the number", () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(finite, (value) => {
        const text = printDecimal(value);
        expect(isDecimal(text)).toBe(true);
        expect(Number(text)).toBe(value === 0 ? 0 : value);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test.each([Number.NaN, Infinity, -Infinity])("rejects %d", (value) => {
    expect(() => printDecimal(value)).toThrow(RangeError);
  });
});

describe("isDecimal", () => {
  test.each(["", "-", "1.", ".5", "+1", "1e3", "0x1", "1_000", " 1", "١"])("rejects %j", (text) => {
    expect(isDecimal(text)).toBe(false);
  });
});
