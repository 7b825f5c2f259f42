import { canonicalIp } from "@security-platform/fql";
import { expect, test } from "vitest";
import { compareValues, servedValue } from "./values.ts";

test.each([
  "10.0.0.1",
  "255.255.255.255",
  "0.0.0.0",
  "::",
  "::1",
  "2001:db8::1:0:0:1",
  "1:2:3:4:5:6:7:8",
])("the address %s is returned as written", (text) => {
  expect(servedValue(canonicalIp(text) ?? "", { type: "ip" })).toBe(text);
});

test("numbers sort by size, texts by code points, false before true", () => {
  expect([10, 9, -1].toSorted(compareValues)).toEqual([-1, 9, 10]);
  expect(["\u{1F600}", "\uFF5E", "b", "B"].toSorted(compareValues)).toEqual([
    "B",
    "b",
    "\uFF5E",
    "\u{1F600}",
  ]);
  expect([true, false].toSorted(compareValues)).toEqual([false, true]);
});
