import { expect, test } from "vitest";
import { pauseAfter } from "./backoff.ts";

test("doubles the pause up to an hour", () => {
  const pauses = [1, 2, 3, 9, 10, 500].map((attempt) => pauseAfter(attempt, 0) / 1_000);
  expect(pauses).toEqual([10, 20, 40, 2_560, 3_600, 3_600]);
});

test("shortens it at random, by at most half", () => {
  expect(pauseAfter(1, 1)).toBe(5_000);
  expect(pauseAfter(1, 0.5)).toBe(7_500);
});
