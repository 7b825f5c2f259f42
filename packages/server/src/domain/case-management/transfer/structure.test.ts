import { expect, test } from "vitest";
import { structureProblem } from "./structure.ts";

test.each([
  ["brackets in a text", `a: "${"[".repeat(1_000)}"\nb: |\n  ${"- ".repeat(1_000)}\n`],
  ["many members of one level", `a: {${"b: 1, ".repeat(1_000)}}\nc: [${"- 1, ".repeat(1_000)}]`],
  ["a list with many items", "- a\n".repeat(1_000)],
  ["an end without a start", "]".repeat(1_000)],
])("%s can be parsed", (_what, text) => {
  expect(structureProblem(text)).toBeNull();
});

test.each([
  ["lists", `a: 1\nb: ${"[".repeat(65)}`, 2],
  ["objects", `\n\n${'{"a":'.repeat(65)}`, 3],
  ["lists without brackets", `${"- ".repeat(65)}x`, 1],
  ["keys that are objects", `a:\n  ${"? ".repeat(65)}x`, 2],
])("%s that are nested too deeply are rejected with their line", (_what, text, line) => {
  expect(structureProblem(text)).toEqual({ line, message: "is nested too deeply" });
});

test("a text with too many members is rejected at the limit", () => {
  const problem = structureProblem("- a\n".repeat(100), 50);
  expect(problem).toEqual({ line: 10, message: "has too many members" });
});
