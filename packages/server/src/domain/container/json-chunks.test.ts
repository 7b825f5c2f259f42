import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { jsonChunks } from "./json-chunks.ts";

test.each([
  ["a small value", { a: [1, "ж", null], b: undefined }],
  ["a scalar", "x"],
  ["a long list", Array.from({ length: 2_000 }, (_, index) => ({ index, none: undefined }))],
  [
    "lists in lists",
    { "a b": Array.from({ length: 30 }, (_, at) => Array.from({ length: 100 }, () => at)), c: {} },
  ],
  [
    "many members",
    { ...Array.from({ length: 1_000 }, () => ({ '"': "\u2028" })), none: undefined },
  ],
  ["a long text", ["x".repeat(200_000), ...Array.from({ length: 1_000 }, () => "y")]],
])("the chunks of %s are its JSON text", async (_what, value) => {
  expect(await text(jsonChunks(value))).toBe(JSON.stringify(value));
});

test("no chunk is much longer than the others", async () => {
  const value = Array.from({ length: 20_000 }, () => "forty characters in each item of the list");
  const lengths: number[] = [];
  for await (const chunk of jsonChunks(value)) lengths.push(chunk.length);
  expect(lengths.length).toBeGreaterThan(10);
  expect(Math.max(...lengths)).toBeLessThan(70_000);
});
