import { expect, test } from "vitest";
import { areDifferent } from "./unique-items.ts";

test.each<readonly unknown[]>([
  [],
  ["a", "A", "1", 1, true, "true", null, "null", {}, []],
  [{ a: 1 }, { a: 2 }, { a: 1, b: 1 }, { b: 1 }],
  [[1, 2], [2, 1], [[1], 2], "[1,2]"],
])("%j, %j …: all items differ", (...items) => {
  expect(areDifferent(items)).toBe(true);
});

test.each<readonly unknown[]>([
  ["a", "b", "a"],
  [0, -0],
  [null, null],
  [
    { a: 1, b: { c: 1, d: 2 } },
    { b: { d: 2, c: 1 }, a: 1 },
  ],
  [[{ a: 1, b: 2 }], [{ b: 2, a: 1 }]],
])("%j, %j …: two items are equal", (...items) => {
  expect(areDifferent(items)).toBe(false);
});
