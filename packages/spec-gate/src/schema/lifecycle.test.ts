import { expect, test } from "vitest";
import { lifecycleOf } from "./lifecycle.ts";

test.each([
  ["2030-12-31", "2030-12-31T00:00:00.000Z"],
  ["2030-12-31T12:00:00Z", "2030-12-31T12:00:00.000Z"],
  ["Tue, 31 Dec 2030 23:59:59 GMT", "2030-12-31T23:59:59.000Z"],
  ["2030-02-30", undefined],
  ["2030-02-30T12:00:00Z", undefined],
  ["2030-13-01", undefined],
  ["2030-12-31x", undefined],
  ["next year", undefined],
])("the removal on %s", (text, date) => {
  expect(lifecycleOf([{ "x-sunset": text }]).sunset?.date?.toISOString()).toBe(date);
});
