import { expect, test } from "vitest";
import { earlierSightings } from "../../../tests/support/sightings.ts";
import { filterOf } from "../../../tests/support/store.ts";
import { sqliteDialect } from "../dialects/sqlite/sqlite-dialect.ts";
import { conjuncts, shapeOf } from "../filters/shape.ts";
import { layoutOf } from "../rows/columns.ts";
import { endsInTime } from "./view.ts";

const layout = layoutOf({ ...earlierSightings, words: "name" });

/** For a branch of these conditions that starts from the first one; null: from all records. */
const endsFrom = (filter: string, start: 0 | "rows") => {
  const conditions = conjuncts(shapeOf(filterOf(filter), { layout, dialect: sqliteDialect }));
  return endsInTime({ layout, conditions } as Parameters<typeof endsInTime>[0], start);
};

test("a statement over the rows of a branch ends in time", () => {
  expect(endsFrom("kind:'a'", 0)).toBe(true);
  expect(endsFrom("tags:'a'", "rows")).toBe(true);
});

test("a statement that starts from the elements of an array does not", () => {
  expect(endsFrom("tags:'a'", 0)).toBe(false);
});

test.each(["name:~'brown'", "kind:'a'+(name:~'brown',score:1)", "name:!~'brown'"])(
  "a statement that searches for words does not: %s",
  (filter) => {
    expect(endsFrom(filter, "rows")).toBe(false);
  },
);
