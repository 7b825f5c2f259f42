import { expect, test } from "vitest";
import { readInteger } from "./read-integer.ts";

test.each([
  ["0", 0],
  ["8080", 8080],
  ["65535", 65_535],
])("reads %s", (text, value) => {
  expect(readInteger(0, 65_535)(text)).toBe(value);
});

test.each(["", " 1", "1e3", "-1", "0x10", "1.0", "65536", "99999999999999999999", "port"])(
  "rejects %j and names what was expected",
  (text) => {
    expect(() => readInteger(0, 65_535)(text)).toThrow("Expected an integer from 0 to 65535.");
  },
);

test("names only the minimum if there is no maximum", () => {
  expect(() => readInteger(1)("0")).toThrow("Expected an integer of at least 1.");
});
