import { expect, test } from "vitest";
import { changedBy } from "./sqlite-snapshots.ts";

test.each<[string, readonly string[] | null]>([
  ['select "a" from "b" where "updated" = ?', []],
  ['with "a" as (select 1) select * from "a"', []],
  ['insert into "a" ("b") values (?)', ["a"]],
  ['update "a" set "b" = 1; delete from c where d = 1', ["a", "c"]],
  ['with "x" as (select 1) update "a" set "b" = 1 from "x"', ["a"]],
  ["begin immediate", []],
  ["release task; savepoint task", []],
  ["insert or replace into a values (1)", null],
  ['create table "a" ("b" text)', null],
  ["select 1; vacuum", null],
])("%s changes %j", (text, names) => {
  expect(changedBy(text)).toEqual(names);
});
