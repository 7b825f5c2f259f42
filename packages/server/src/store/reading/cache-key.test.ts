import { expect, test } from "vitest";
import { cacheKey } from "./cache-key.ts";

test("keys are short and differ if the values differ", () => {
  const values = Array.from({ length: 1_000 }, (_, at) => `value ${at}`);
  const keys = [["a"], ["a", null], [values], [values.with(999, "other")]].map(cacheKey);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.map(({ length }) => length)).toEqual([5, 10, 43, 43]);
});
