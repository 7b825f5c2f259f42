import { expect, test } from "vitest";
import { readYaml } from "./read-yaml.ts";

test("aliases stand for the values of their anchors", () => {
  expect(readYaml("a: &a [1]\nb: *a\n")).toMatchObject({ value: { a: [1], b: [1] } });
});

const nines = (item: string): string => Array.from({ length: 9 }, () => item).join(", ");
const bomb = `a: &a [${nines("x")}]\nb: &b [${nines("*a")}]\nc: &c [${nines("*b")}]\nd: [${nines("*c")}]\n`;

test.each([
  [
    "a: 1\nb: *none\n",
    { line: 2, message: expect.stringContaining("the alias *none has no anchor") },
  ],
  ["a: &a 1\nb: [*a, *b]\n", { line: 2, message: expect.stringContaining("the alias *b") }],
  [bomb, { line: 1, message: "its aliases stand for too many values" }],
  ["[".repeat(30_000), { line: 1, message: "it has too many nested values" }],
  ["a: [\n", { line: 2, message: expect.stringContaining("must be") }],
])("the text %j is refused with its line", (text, problem) => {
  expect(readYaml(text)).toEqual(problem);
});
