import { expect, test } from "vitest";
import { earlierSightings } from "../../../tests/support/sightings.ts";
import { filterOf } from "../../../tests/support/store.ts";
import { sqliteDialect } from "../dialects/sqlite/sqlite-dialect.ts";
import { conjuncts, shapeOf } from "../filters/shape.ts";
import { layoutOf } from "../rows/columns.ts";
import type { FieldShape } from "../statements/shapes.ts";
import type { Branch } from "./branches.ts";
import { endsInTime, type Start } from "./start-shapes.ts";

const layout = layoutOf({ ...earlierSightings, words: "name" });

/** For a branch of these conditions that starts from the first one, or from known rows. */
const endsFrom = (filter: string, kind: "condition" | "rows") => {
  const conditions = conjuncts(shapeOf(filterOf(filter), { layout, dialect: sqliteDialect }));
  const [condition, ...also] = conditions as readonly [FieldShape, ...FieldShape[]];
  const together = also.length === 0 ? {} : { also };
  const start: Start =
    kind === "rows" ? { kind } : { kind, condition, from: condition, ...together };
  return endsInTime({ conditions } as unknown as Branch, start);
};

test("a statement over the rows of a branch ends in time", () => {
  expect(endsFrom("kind:'a'", "condition")).toBe(true);
  expect(endsFrom("tags:'a'", "rows")).toBe(true);
});

test("a statement that starts from the elements of an array does not", () => {
  expect(endsFrom("tags:'a'", "condition")).toBe(false);
  expect(endsFrom("tags:'a'+kind:'a'", "condition")).toBe(false);
});

test.each(["name:~'brown'", "kind:'a'+(name:~'brown',score:1)", "name:!~'brown'"])(
  "a statement that searches for words does not: %s",
  (filter) => {
    expect(endsFrom(filter, "rows")).toBe(false);
  },
);
