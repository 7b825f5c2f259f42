import { expect, test } from "vitest";
import { checkStructure } from "./structure.ts";

/** A line for each of a hundred levels. */
const indented = (line: string): string =>
  Array.from({ length: 100 }, (_, level) => `${" ".repeat(level * line.length)}${line}\n`).join("");

test.each([
  ["brackets in a text", `a: "${"[".repeat(1_000)}"\nb: |\n  ${"- ".repeat(1_000)}\n`],
  ["many members of one level", `a: {${"b: 1, ".repeat(1_000)}}\nc: [${"- 1, ".repeat(1_000)}]`],
  ["a list with many items", "- a\n".repeat(1_000)],
  ["levels that end", "a:\n  b:\n    - c\n".repeat(1_000)],
  ["signs of aliases and tags in texts", "a: '*b'\nc: |\n  *d\ne: f *g !h\n".repeat(1_000)],
])("%s can be parsed", (_what, text) => {
  expect(checkStructure(text)).toEqual(expect.any(Number));
});

test.each([
  ["lists", `a: 1\nb: ${"[".repeat(65)}`, 2],
  ["objects", `\n\n${'{"a":'.repeat(65)}`, 3],
  ["lists without brackets", `${"- ".repeat(65)}x`, 1],
  ["members below each other", indented("a:"), 65],
  ["lists below each other", indented("-"), 65],
  ["lists in each line", indented("- - - -"), 17],
  ["keys that are objects", `a:\n  ${"? ".repeat(65)}x`, 2],
])("%s that are nested too deeply are rejected with their line", (_what, text, line) => {
  expect(checkStructure(text)).toEqual({ line, message: "is nested too deeply" });
});

test.each([
  ["an alias", "a: &b c\nd: *b", 2, "aliases are not supported; repeat the content"],
  ["an alias as a key", "a: &b c\n*b : d", 2, "aliases are not supported; repeat the content"],
  ["many tags", "- !a b\n".repeat(101), 101, "has too many tags, anchors or directives"],
  ["many anchors", "- &a b\n".repeat(101), 101, "has too many tags, anchors or directives"],
  ["many directives", "%A b\n".repeat(101), 101, "has too many tags, anchors or directives"],
  ["an end without a start", "a: []\n]\n", 2, "has a ] that closes nothing"],
])("%s is rejected with its line", (_what, text, line, message) => {
  expect(checkStructure(text)).toEqual({ line, message });
});

test("a text with too many members is rejected at the limit", () => {
  const problem = checkStructure("- a\n".repeat(100), 50);
  expect(problem).toEqual({ line: 10, message: "has too many members" });
});
