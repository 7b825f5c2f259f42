import { expect, test } from "vitest";
import { placeOf, valueAt, withoutValueAt, withValueAt } from "./json-path.ts";

const body = { list: [{ a: 1 }, { a: 2 }], other: null };

test("paths are written as in error messages", () => {
  expect(placeOf("body", ["list", 0, "a"])).toBe("body.list[0].a");
  expect(placeOf("body", [])).toBe("body");
});

test("values are read if they exist", () => {
  expect(valueAt(body, ["list", 1, "a"])).toBe(2);
  expect(valueAt(body, ["other", "a"])).toBeUndefined();
  expect(valueAt(body, ["none", 0])).toBeUndefined();
});

test("changes do not modify the original", () => {
  expect(withValueAt(body, ["list", 0, "a"], 9)).toEqual({ ...body, list: [{ a: 9 }, { a: 2 }] });
  expect(withValueAt(body, ["new", "deep"], 9)).toEqual({ ...body, new: { deep: 9 } });
  expect(withValueAt(body, [], 9)).toBe(9);
  expect(withoutValueAt(body, ["list", 1, "a"])).toEqual({ ...body, list: [{ a: 1 }, {}] });
  expect(body.list).toEqual([{ a: 1 }, { a: 2 }]);
});
