import type { Fields } from "@security-platform/fql";
import { expect, test } from "vitest";
import { pageOf, selectInMemory } from "./list-in-memory.ts";

const fields: Fields = {
  name: { type: "string", sortable: true },
  size: { type: "number", sortable: true, nullable: true },
  seen: { type: "timestamp" },
};
const now = new Date("2026-03-01T12:00:00Z");
const records = [
  { name: "b", size: 10 },
  { name: "a", size: 9 },
  { name: "\u{1f600}", seen: "2026-03-01T11:00:00Z" },
  { name: "\uff5e", size: 9 },
];
const names = (sort: string, filter = "") =>
  selectInMemory(records, { filter, sort }, fields, now).map(({ name }) => name);

test.each([
  ["", ["b", "a", "\u{1f600}", "\uff5e"]],
  ["name", ["a", "b", "\uff5e", "\u{1f600}"]],
  ["name.desc", ["\u{1f600}", "\uff5e", "b", "a"]],
  ["size", ["a", "\uff5e", "b", "\u{1f600}"]],
  ["size|desc", ["b", "a", "\uff5e", "\u{1f600}"]],
  ["size.asc,name.desc", ["\uff5e", "a", "b", "\u{1f600}"]],
])("sorted by '%s'", (sort, order) => {
  expect(names(sort)).toEqual(order);
});

test("a field whose filters ignore case is sorted without it, and equal names by their letters", () => {
  const sorted = (field: Fields[string], sort: string) =>
    selectInMemory(
      ["b", "B", "Z", undefined, "a", "A", "Ä", "ä"].map((name) =>
        name === undefined ? {} : { name },
      ),
      { sort },
      { name: field },
      now,
    ).map((record) => record.name);
  const insensitive = { type: "string", case: "insensitive", sortable: true } as const;
  const ignoring = ["A", "a", "B", "b", "Z", "Ä", "ä"];
  expect(sorted(insensitive, "name")).toEqual([...ignoring, undefined]);
  expect(sorted(insensitive, "name.desc")).toEqual([...ignoring.toReversed(), undefined]);
  const exact = ["A", "B", "Z", "a", "b", "Ä", "ä"];
  expect(sorted({ type: "string", sortable: true }, "name")).toEqual([...exact, undefined]);
  // Without filters there is no form of it without case, in the store neither.
  expect(sorted({ ...insensitive, filterable: false }, "name")).toEqual([...exact, undefined]);
});

test("filters, relative times included", () => {
  expect(names("", "size:<10")).toEqual(["a", "\uff5e"]);
  expect(names("", "seen:>'now-2h'")).toEqual(["\u{1f600}"]);
  expect(() => names("", "colour:1")).toThrow(/colour/);
  expect(() => names("seen")).toThrow(/seen/);
});

test("pages report their position", () => {
  expect(pageOf([1, 2, 3], { limit: 2 })).toEqual({
    items: [1, 2],
    page: { limit: 2, offset: 0, total: 3, nextOffset: 2 },
  });
  expect(pageOf([1, 2, 3], { limit: 2, offset: 2 })).toEqual({
    items: [3],
    page: { limit: 2, offset: 2, total: 3 },
  });
  expect(pageOf([1, 2, 3], { limit: 2, offset: 9 })).toEqual({
    items: [],
    page: { limit: 2, offset: 9, total: 3 },
  });
});
