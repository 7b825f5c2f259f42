import { runs } from "@security-platform/fql/arbitraries";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { originalText, storedText } from "./stored-values.ts";

const awkward = fc.string({
  unit: fc.constantFrom(
    "\0",
    "\u0001",
    "\u0002",
    "~",
    "d",
    "8",
    "0",
    "\ud800",
    "\udfff",
    "😀",
    "é",
  ),
});

test("every text has a unique form that any column can store, and is restored from it", () => {
  fc.assert(
    fc.property(fc.oneof(awkward, fc.string()), (text) => {
      const stored = storedText(text);
      expect(stored.includes("\0")).toBe(false);
      expect(stored.isWellFormed()).toBe(true);
      expect(originalText(stored)).toBe(text);
    }),
    { numRuns: runs(2_000) },
  );
});

test("plain text does not change", () => {
  expect(storedText("plain ~ 😀")).toBe("plain ~ 😀");
});
