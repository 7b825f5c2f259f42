import { expect, test } from "vitest";
import { earlierSightings } from "../../../tests/support/sightings.ts";
import { filterOf } from "../../../tests/support/store.ts";
import type { Reader } from "../dialects/dialect.ts";
import { sql, type Sql } from "../dialects/sql.ts";
import { postgresDialect } from "../dialects/postgres/postgres-dialect.ts";
import { sqliteDialect } from "../dialects/sqlite/sqlite-dialect.ts";
import { conjuncts, shapeOf } from "../filters/shape.ts";
import { layoutOf } from "../rows/columns.ts";
import type { Branch } from "./branches.ts";
import { PageStarts } from "./page-starts.ts";

const layout = layoutOf({ ...earlierSightings, indexes: ["kind"] });
const conditions = conjuncts(shapeOf(filterOf("kind:'a'"), { layout, dialect: sqliteDialect }));
const branch = {
  layout,
  dialect: sqliteDialect,
  cid: "c",
  fence: "c",
  expired: null,
  fields: new Map(),
  conditions,
} as unknown as Branch;

const twoConditions = {
  ...branch,
  conditions: conjuncts(shapeOf(filterOf("tags:'a'+kind:'a'"), { layout, dialect: sqliteDialect })),
} as unknown as Branch;

/** A table with so many matches of every condition, or of those on a column. Also the limits of the counts. */
function tableWith(matches: number | Readonly<Record<string, number>>) {
  const limits: number[] = [];
  const connection = {
    all: ({ text }: Sql) => {
      const limit = Number(/limit (\d+)/.exec(text)?.[1]);
      limits.push(limit);
      const column = Object.keys(matches).find((name) => text.includes(name)) ?? "";
      const count = typeof matches === "number" ? matches : (matches[column] ?? 0);
      return Promise.resolve([{ matches: Math.min(count, limit) }]);
    },
  } as unknown as Reader;
  return { connection, limits };
}

const millions = 3_000_000;
const sorted = { key: "created", total: null, missing: null };

test.each([
  ["a small page of a common value", 100, 30_000, "order"],
  ["a small page of a rare value", 100, 3_000, "condition"],
  ["a small page of a value of one in 400 records", 100, 7_500, "condition"],
  ["a large page of a value of one in 300 records", 10_000, 10_000, "condition"],
  ["a large page of a value of one in 30 records", 10_000, 100_000, "condition"],
  ["a large page of a value of half of the records", 10_000, millions / 2, "order"],
])("%s starts where fewer steps are needed", async (_name, page, matches, start) => {
  const { connection } = tableWith(matches);
  const size = { needed: page + 1, rows: millions };
  const { kind } = await new PageStarts().choose(connection, branch, size, sorted);
  expect(kind).toBe(start);
});

test.each([
  ["one in 100 records", 30_000, millions, "in-order"],
  ["one in 10 records", 300_000, millions, "order"],
  ["one in 1,000 records", 3_000, millions, "in-order"],
  ["a rare one", 400, millions, "condition"],
  ["one in 10 of few records", 5_000, 50_000, "order"],
])(
  "a page without a sort reads the matches of %s in their order",
  async (_name, matches, rows, start) => {
    const { connection } = tableWith(matches);
    const size = { needed: 101, rows };
    const onPostgres = { ...branch, dialect: postgresDialect };
    const unsorted = { key: null, total: null, missing: null };
    const { kind } = await new PageStarts().choose(connection, onPostgres, size, unsorted);
    expect(kind).toBe(start);
  },
);

test.each([
  ["few have both", 30_000, 150_000, millions, ["kind"]],
  ["the second one is common", 30_000, 1_500_000, millions, undefined],
  ["the first one is rare", 600, 150_000, millions, undefined],
  ["few have both in a larger tenant", 200_000, 250_000, 3 * millions, ["kind"]],
  ["the second one would need much memory", 200_000, 300_000, 3 * millions, undefined],
])(
  "a page of two conditions reads both indexes if it saves rows: %s",
  async (_name, tags, kind, rows, found) => {
    const { connection } = tableWith({ tags, field_kind: kind });
    const size = { needed: 101, rows };
    const onPostgres = { ...twoConditions, dialect: postgresDialect };
    const start = await new PageStarts().choose(connection, onPostgres, size, sorted);
    const others = start.kind === "condition" ? start.also : undefined;
    expect(others?.map(({ columns }) => columns.name)).toEqual(found);
  },
);

test("the counts of small and large pages are not confused, and do not depend on small differences", async () => {
  const { connection, limits } = tableWith(20_000);
  const starts = new PageStarts();
  const choose = async (needed: number, rows: number) =>
    (await starts.choose(connection, branch, { needed, rows }, sorted)).kind;
  expect(await choose(101, millions)).toBe("order");
  expect(await choose(10_001, millions)).toBe("condition");
  expect(await choose(10_001, millions + 1)).toBe("condition");
  expect(await choose(101, millions)).toBe("order");
  expect(limits).toEqual([16_384, 262_144, 131_072]);
});

test("a count is taken again once enough records are new", async () => {
  const matches = { field_kind: 2_000 };
  const { connection, limits } = tableWith(matches);
  const starts = new PageStarts();
  const choose = async (rows: number) => {
    const size = { needed: 51, rows: starts.sizeOf(branch, rows) };
    return (await starts.choose(connection, branch, size, sorted)).kind;
  };
  expect(await choose(50_000)).toBe("order");
  expect(await choose(50_999)).toBe("order");
  matches.field_kind = 500;
  expect(limits).toHaveLength(1);
  expect(await choose(51_000)).toBe("condition");
  matches.field_kind = 5_000;
  expect(await choose(51_499)).toBe("condition");
  expect(await choose(51_500)).toBe("order");
  expect(limits).toHaveLength(3);
  // It cannot be more than it is counted up to.
  expect(await choose(90_000)).toBe("order");
  expect(limits).toHaveLength(3);
});

test("the end of a walk is looked up again once as many records are new as it has steps", async () => {
  let looks = 0;
  const connection = {
    tuples: () => Promise.resolve([[`end ${(looks += 1)}`]]),
  } as unknown as Reader;
  const starts = new PageStarts();
  const end = (rows: number) => {
    starts.sizeOf(branch, rows);
    const statement = sql<readonly [string]>`select 'end'`;
    return starts.endOfWalk(connection, branch, statement, 2_048);
  };
  expect(await end(200_000)).toBe("end 1");
  expect(await end(202_047)).toBe("end 1");
  expect(await end(202_048)).toBe("end 2");
  expect(await end(202_049)).toBe("end 2");
});
