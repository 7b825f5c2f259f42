import { expect, test } from "vitest";
import { Backoff } from "./backoff.ts";

test("increases after consecutive failures, to at most ten seconds", () => {
  const backoff = new Backoff();
  const delays = Array.from({ length: 9 }, () => backoff.next(1_000));
  expect(delays).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]);
});

test("restarts after a steady run", () => {
  const backoff = new Backoff();
  backoff.next(0);
  backoff.next(0);
  expect(backoff.next(30_000)).toBe(100);
});
