import { expect, test } from "vitest";
import { Random } from "./random.ts";

const draws = (seed: number, purpose: string) => {
  const random = new Random(seed, purpose);
  return Array.from({ length: 5 }, () => random.next());
};

test("the same seed and purpose result in the same numbers, others in other numbers", () => {
  expect(draws(1, "a")).toEqual(draws(1, "a"));
  expect(draws(1, "a")).not.toEqual(draws(2, "a"));
  expect(draws(1, "a")).not.toEqual(draws(1, "b"));
});

test("numbers are evenly distributed over their range", () => {
  const random = new Random(7, "spread");
  const counts = Array.from({ length: 10 }, () => 0);
  for (let index = 0; index < 10_000; index += 1) {
    const drawn = random.below(10);
    counts[drawn] = (counts[drawn] ?? 0) + 1;
  }
  expect(Math.min(...counts)).toBeGreaterThan(900);
  expect(Math.max(...counts)).toBeLessThan(1_100);
});

test("hex has the requested number of digits, and some is never empty", () => {
  const random = new Random(3, "hex");
  expect(random.hex(64)).toMatch(/^[0-9a-f]{64}$/);
  for (let index = 0; index < 100; index += 1) {
    expect(random.some(["a", "b"], 1).length).toBeGreaterThan(0);
  }
});
