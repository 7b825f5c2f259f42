import type { Predicate } from "@security-platform/fql";
import { sql } from "../dialects/sql.ts";
import type { FieldQuery } from "./field-query.ts";
import type { FacetValue, Facets } from "../types/types.ts";

/** Runs `work` with a query about the values of a field. */
type AboutField = <Result>(
  field: string,
  predicate: Predicate,
  now: Date,
  work: (fieldQuery: FieldQuery) => Promise<Result>,
) => Promise<Result>;

export const facetsOver = (about: AboutField): Facets => ({
  groups: (field, predicate, options) =>
    about(field, predicate, options.now, (fieldQuery) => groups(fieldQuery, options)),
  timestampGroups: (field, predicate, { now, length }) =>
    about(field, predicate, now, (fieldQuery) => timestampGroups(fieldQuery, length)),
  statistics: (field, predicate, now) => about(field, predicate, now, statistics),
  cardinality: (field, predicate, now) => about(field, predicate, now, cardinality),
  valuesAtRanks: (field, predicate, { now, ranks }) =>
    about(field, predicate, now, (fieldQuery) => valuesAtRanks(fieldQuery, ranks)),
});

async function cardinality({ run }: FieldQuery): Promise<number> {
  const [row] = await run(
    (values) => sql<{ count: number }>`select count(distinct value) as count from ${values}`,
  );
  return row?.count ?? 0;
}

interface GroupRow {
  readonly value: unknown;
  readonly count: number | null;
  readonly total: number;
  readonly records: number;
}

async function groups(
  { run, decode }: FieldQuery,
  options: Parameters<Facets["groups"]>[2],
): ReturnType<Facets["groups"]> {
  const { order, minimumCount = 1, maximumCount = Number.MAX_SAFE_INTEGER } = options;
  const { limit, offset = 0 } = options;
  const direction = sql.raw(options.direction);
  const by = order === "count" ? sql`count ${direction}, value` : sql`value ${direction}`;
  const rows = await run(
    (values) => sql<GroupRow>`with g as materialized (
        select value, count(*) as count from ${values} group by value
        having count(*) between ${minimumCount} and ${maximumCount})
      select totals.total, totals.records, page.value, page.count
      from (
        select count(*) as total, coalesce(cast(sum(count) as bigint), 0) as records from g
      ) as totals
      left join (
        select value, count from g order by ${by} limit ${limit} offset ${offset}
      ) as page on page.count > 0
      order by ${by}`,
  );
  const [first] = rows;
  return {
    facets: rows.flatMap(({ value, count }) =>
      count === null ? [] : [{ value: decode(value), count }],
    ),
    total: first?.total ?? 0,
    records: first?.records ?? 0,
  };
}

const timestampGroups = ({ run, columns }: FieldQuery, length: number) =>
  run((values) => {
    const prefix = sql`substr(value, 1, ${length})`;
    // A record with two times in one span counts once.
    const prefixes = sql`select ${columns.field.array === true ? sql`distinct` : sql``}
      place, row, ${prefix} as prefix from ${values}`;
    return sql<{ prefix: string; count: number }>`
      select prefix, count(*) as count from (${prefixes}) as spans group by 1 order by 1`;
  });

interface StatisticsRow {
  readonly count: number;
  readonly min: unknown;
  readonly max: unknown;
  readonly sum?: number;
  readonly fractions?: number;
}

async function statistics(fieldQuery: FieldQuery): ReturnType<Facets["statistics"]> {
  const { run, columns, decode } = fieldQuery;
  // The order of additions affects the sum of fractions, but not the sum of integers.
  const sums =
    columns.type === "number"
      ? sql`, sum(value) as sum, sum(case when value = round(value) then 0 else 1 end) as fractions`
      : sql``;
  const [row] = await run(
    (values) => sql<StatisticsRow>`
      select count(*) as count, min(value) as min, max(value) as max${sums} from ${values}`,
  );
  if (row === undefined || row.count === 0) return { count: 0, sum: null, min: null, max: null };
  const { count, sum = null } = row;
  const exact = sum === null || (row.fractions === 0 && Number.isSafeInteger(sum));
  return {
    count,
    sum: exact ? sum : await sumInOrder(fieldQuery),
    min: decode(row.min),
    max: decode(row.max),
  };
}

/** Adds the values in ascending order, so that both engines round in the same way. */
async function sumInOrder({ run }: FieldQuery): Promise<number> {
  const addends = await run(
    (values) => sql<{ value: number; count: number }>`
      select value, count(*) as count from ${values} group by value order by value`,
  );
  let sum = 0;
  for (const { value, count } of addends) {
    for (let added = 0; added < count; added += 1) sum += value;
  }
  return sum;
}

async function valuesAtRanks(
  { run, anyOf, decode }: FieldQuery,
  ranks: readonly number[],
): Promise<readonly FacetValue[]> {
  const rows = await run(
    (values) => sql<{ place: number; value: unknown }>`select place, value from (
        select value, row_number() over (order by value) - 1 as place from ${values}
      ) as places
      where ${anyOf(sql`place`, [...new Set(ranks)], "integer")}`,
  );
  const valuesByRank = new Map(rows.map(({ place, value }) => [place, decode(value)]));
  return ranks.flatMap((rank) => valuesByRank.get(rank) ?? []);
}
