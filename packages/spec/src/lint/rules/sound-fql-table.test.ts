import { expect, test } from "vitest";
import { check } from "../testing/check.ts";
import { soundFqlTable } from "./sound-fql-table.ts";

const reportsOf = (table: string) =>
  check(soundFqlTable, { "ioc/fql/things.yaml": table }).map(({ line, found: what }) => [
    line,
    what,
  ]);

test("a table with every member is valid", () => {
  const table = `name: { type: string, case: insensitive, match: glob, sortable: true, nullable: true }
name.raw: { type: string, path: name, values: [a, b], description: text }
level: { type: number, derive: { from: name, map: { a: 1 }, otherwise: 0 }, filterable: false }
tags: { type: string, array: true }
`;
  expect(reportsOf(table)).toEqual([]);
});

test("errors are found on their lines", () => {
  const table = `Name: { type: string }
size:
  type: integer
  sorted: true
kind: { values: [a] }
seen: { type: timestamp, case: insensitive }
tags: { type: string, array: true, sortable: true }
name.raw: { type: string, case: insensitive }
state: { type: string, values: [on, off, on] }
`;
  expect(reportsOf(table)).toEqual([
    [1, "Name"],
    [3, 'type: "integer"'],
    [4, "sorted: true"],
    [5, "no type"],
    [5, "values of undefined"],
    [6, "case of timestamp"],
    [7, "a list that sorts"],
    [8, "a .raw field with case folding"],
    [8, "a .raw field without path"],
    [9, "a duplicate value"],
  ]);
});
