import { expect, test } from "vitest";
import { SpareHeaders } from "./spare-headers.ts";

test("spare headers are given out once, to requests that need the same step", () => {
  const spare = new SpareHeaders();
  spare.keep("one", { ticket: "1" });
  spare.keep("one", { ticket: "2" });
  expect(spare.take("other")).toBeUndefined();
  const taken = [spare.take("one"), spare.take("one")];
  expect(new Set(taken.map((headers) => headers?.["ticket"]))).toEqual(new Set(["1", "2"]));
  expect(spare.take("one")).toBeUndefined();
});

test("spare headers are not kept for long", () => {
  let now = 0;
  const spare = new SpareHeaders(() => now);
  spare.keep("one", { ticket: "1" });
  now = 120_000;
  expect(spare.take("one")).toBeUndefined();
});
