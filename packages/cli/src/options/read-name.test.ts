import { expect, test } from "vitest";
import { readName } from "./read-name.ts";

test("trims spaces around a name", () => {
  expect(readName("  Ærø & Søn ")).toBe("Ærø & Søn");
});

test.each([
  ["", "at least one character"],
  ["   ", "at least one character"],
  ["a\nb", "without control characters"],
  ["\u001b[2J", "without control characters"],
  ["a\u202eb", "without control characters"],
  ["x".repeat(201), "at most 200 characters, not 201"],
])("rejects %j", (text, reason) => {
  expect(() => readName(text)).toThrow(reason);
});
