import { expect, test } from "vitest";
import { parseSort } from "./sort.ts";

test("errors in a sort name the sort, not the filter", () => {
  const fields = { uid: { type: "string", sortable: true } } as const;
  for (const text of ["uix", "uid,uid", "uid.up", "sort:", "uid,"]) {
    expect(() => parseSort(text, fields), text).toThrow(/^Invalid sort expression supplied: /);
  }
});

test("an error in a field names the nearest field, and otherwise the fields to sort by", () => {
  const sortable = { type: "string", sortable: true } as const;
  const fields = { name: sortable, hidden: { type: "string" }, "owner.name": sortable } as const;
  const messageFor = (text: string): string => {
    try {
      parseSort(text, fields);
      return "";
    } catch (error) {
      return (error as Error).message.split("\n")[0] ?? "";
    }
  };
  expect(messageFor("nmae")).toMatch(/Did you mean 'name'\?$/);
  for (const text of ["foo", "name,foo.desc", "hidden"])
    expect(messageFor(text)).toMatch(/ Expected one of name, owner\.name\.$/);
  expect(() => parseSort("foo", {})).not.toThrow(/Expected/);
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`field_${at}`, sortable]));
  expect(() => parseSort("x", many)).toThrow(/ field_19 and 10 more\./);
});

test("a sort has at most 4,096 characters", () => {
  const fields = { uid: { type: "string", sortable: true } } as const;
  expect(parseSort("uid".padEnd(4_096), fields)).toEqual([{ field: "uid", direction: "asc" }]);
  expect(() => parseSort("uid".padEnd(4_097), fields)).toThrow(
    expect.objectContaining({
      offset: 4_096,
      reason: "the sort expression is longer than 4096 characters",
    }),
  );
});
