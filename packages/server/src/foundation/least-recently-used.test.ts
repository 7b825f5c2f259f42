import { expect, test } from "vitest";
import { LeastRecentlyUsed } from "./least-recently-used.ts";

test("creates a value once, and drops the least recently used one", () => {
  const values = new LeastRecentlyUsed<string, number>(2);
  let created = 0;
  const get = (key: string) => values.get(key, () => (created += 1));
  expect([get("a"), get("b"), get("a"), get("c")]).toEqual([1, 2, 1, 3]);
  expect(values.peek("b")).toBeUndefined();
  expect([get("a"), get("c"), get("b")]).toEqual([1, 3, 4]);
});
