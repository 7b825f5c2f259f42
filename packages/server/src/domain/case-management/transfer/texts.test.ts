import { setImmediate } from "node:timers/promises";
import { applyPatch } from "diff";
import { expect, test } from "vitest";
import { difference } from "./difference.ts";
import { parseFiles } from "./parse-file.ts";
import { lineOf } from "./line-of.ts";
import { readText } from "./read-text.ts";
import { differenceOf, readTextOf, yamlText } from "./texts.ts";
import type { TemplateFile } from "./template-file.ts";

const fileOf = (options: number, prefix = "option"): TemplateFile => ({
  format: 1,
  template: {
    name: "Large",
    fields: [
      {
        name: "Origin",
        data_type: "string",
        input_type: "dropdown",
        options: Array.from({ length: options }, (_, number) => ({ value: `${prefix} ${number}` })),
      },
    ],
  },
});

/** The result, and how often the main thread came to other work before it. */
async function withTurns<Result>(work: Promise<Result>) {
  const state = { turns: 0, done: false };
  const finished = work.finally(() => (state.done = true));
  while (!state.done) {
    state.turns += 1;
    await setImmediate();
  }
  return { turns: state.turns, result: await finished };
}

test(
  "the main thread is not blocked while a large file is written, read and compared",
  { tags: ["exhaustive"] },
  async () => {
    const file = fileOf(1_500);
    const written = await withTurns(yamlText(file));
    expect(written.turns).toBeGreaterThan(10);
    const read = await withTurns(readTextOf(written.result));
    expect(read.turns).toBeGreaterThan(10);
    if (!("json" in read.result)) throw new Error("was not read");
    expect(JSON.parse(read.result.json)).toEqual(file);
    const path = ["template", "fields", 0, "options", 1_499, "value"];
    expect(lineOf(read.result.positions, file, path)).toBe(written.result.split("\n").length - 1);
    const compared = await withTurns(differenceOf(file, fileOf(1_490)));
    expect(compared.turns).toBeGreaterThan(10);
    expect(compared.result.split("\n").filter((line) => line.startsWith("-  "))).toHaveLength(10);
  },
);

test("a large invalid text is rejected with its line", async () => {
  const text = `${await yamlText(fileOf(500))}wrong: *nowhere\n`;
  expect(await readTextOf(text)).toEqual([
    { line: text.split("\n").length - 1, message: expect.stringContaining("alias") as string },
  ]);
});

test("the keys of an object are compared by their names", { tags: ["exhaustive"] }, () => {
  const many = Array.from({ length: 20_000 }, (_, number) => `"k${number}":0`);
  expect(readText(`{${many.join(",")}}`)).toHaveProperty("json");
  const line = many.length + 1;
  expect(readText(`{${many.join(",\n")},\n"k7":0}`)).toEqual([
    { line, message: "Map keys must be unique" },
  ]);
  expect(readText("1: a\n'1': b\n")).toEqual([{ line: 2, message: "Map keys must be unique" }]);
});

test("a limited number of problems is reported", () => {
  expect(readText("a: 1\n".repeat(1_000))).toHaveLength(500);
  expect(readText("a: b: c\n".repeat(1_000))).toHaveLength(500);
});

test("the members of all files of an import are limited together", async () => {
  const text = "format: 1\ntemplate: { name: A }\n";
  const files = ["a.yaml", "b.yaml"].map((name) => ({ name, text }));
  const [parsed] = await parseFiles(files.slice(0, 1));
  const tokens = parsed?.tokens ?? 0;
  expect(await parseFiles(files, 2 * tokens)).toHaveLength(2);
  await expect(parseFiles(files, 2 * tokens - 1)).rejects.toThrow(
    'body.file: "b.yaml" line 2: has too many members',
  );
});

test("places are those of the values, or of the parents of missing values", () => {
  const text = 'a: 1\nb:\n  - c: [1,\n      2]\n    2: x\n  - d:\n"e": {f: 3}\n';
  const read = readText(text);
  if (!("json" in read)) throw new Error("was not read");
  const content = JSON.parse(read.json) as unknown;
  const line = (...path: readonly (string | number)[]) => lineOf(read.positions, content, path);
  expect([line("a"), line("b", 0, "c", 0), line("b", 0, "c", 1)]).toEqual([1, 3, 4]);
  expect([line("b", 0, "2"), line("b", 1, "d"), line("e", "f")]).toEqual([5, 6, 7]);
  expect([line(), line("b", 1, "missing", 3), line("b", 7), line("e", "f", "g")]).toEqual([
    1, 6, 3, 7,
  ]);
});

const numbered = (count: number, prefix: string): string =>
  Array.from({ length: count }, (_, number) => `${prefix} ${number}\n`).join("");

// Beyond 2,000 edits the difference is one replacement.
test.each([
  ["a few lines", numbered(50, "a"), numbered(50, "a").replace("a 7\n", "b\n")],
  ["a new file", "", numbered(5_000, "a")],
  ["every line", numbered(3_000, "a"), numbered(3_000, "b")],
  [
    "every line but the first and the last ones",
    `${numbered(9, "first")}${numbered(3_000, "a")}${numbered(9, "last")}`,
    `${numbered(9, "first")}${numbered(2_500, "b")}${numbered(9, "last")}`,
  ],
])("a difference in %s makes one text of the other", (_what, before, after) => {
  const text = difference(before, after);
  expect(applyPatch(before, text)).toBe(after);
  expect(text.split("\n").length).toBeLessThan(before.length + after.length);
  expect(difference(after, after)).toBe("");
});
