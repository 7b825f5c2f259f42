import type { Predicate } from "@security-platform/fql";
import { sql } from "kysely";
import type { Bindable } from "./dialects/dialect.ts";
import { answers, questionAbout, type Question } from "./field-source.ts";
import { slot } from "./statements.ts";
import type { FacetValue, Facets } from "./types.ts";
import { queryOf, type View } from "./view.ts";

type Groups = Awaited<ReturnType<Facets["groups"]>>;
type Statistics = Awaited<ReturnType<Facets["statistics"]>>;

/** Facets over whatever `use` gives a view of. */
export function facetsOver(
  use: <Result>(work: (view: View) => Promise<Result>) => Promise<Result>,
): Facets {
  const about = <Result>(
    field: string,
    predicate: Predicate,
    now: Date,
    work: (question: Question) => Promise<Result>,
  ) => use(async (view) => work(await questionAbout(field, view, queryOf(view, predicate, now))));
  return {
    groups: (field, predicate, options) =>
      about(field, predicate, options.now, (question) => groups(question, options)),
    timestampGroups: (field, predicate, { now, length }) =>
      about(field, predicate, now, (question) => timestampGroups(question, length)),
    statistics: (field, predicate, now) => about(field, predicate, now, statistics),
    cardinality: (field, predicate, now) =>
      about(field, predicate, now, async (question) => {
        const [row] = await answers<{ count: number }>(
          question,
          "cardinality",
          (values) => sql`select count(distinct value) as count from ${values}`,
        );
        return row?.count ?? 0;
      }),
    valuesAtRanks: (field, predicate, { now, ranks }) =>
      about(field, predicate, now, (question) => valuesAtRanks(question, ranks)),
  };
}

async function groups(
  question: Question,
  options: Parameters<Facets["groups"]>[2],
): Promise<Groups> {
  const { query, source } = question;
  const bind = (value: Bindable) => slot<number>(query.draft.slot(value));
  const { order, minimumCount = 1, maximumCount = Number.MAX_SAFE_INTEGER } = options;
  const direction = sql.raw(options.direction);
  const by = order === "count" ? sql`count ${direction}, value` : sql`value ${direction}`;
  const least = bind(minimumCount);
  const most = bind(maximumCount);
  const limit = bind(options.limit);
  const offset = bind(options.offset ?? 0);
  const rows = await answers<{
    value: unknown;
    count: number | null;
    total: number;
    records: number;
  }>(
    question,
    `groups ${order} ${options.direction}`,
    (values) =>
      sql`with g as materialized (
        select value, count(*) as count from ${values} group by value
        having count(*) between ${least} and ${most})
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
      count === null ? [] : [{ value: source.decode(value), count }],
    ),
    total: first?.total ?? 0,
    records: first?.records ?? 0,
  };
}

async function timestampGroups(question: Question, length: number) {
  const prefix = sql`substr(value, 1, ${slot(question.query.draft.slot(length))})`;
  return answers<{ prefix: string; count: number }>(question, "timestamps", (values) =>
    // A record with two times in one span counts once.
    question.source.single
      ? sql`select ${prefix} as prefix, count(*) as count from ${values} group by 1 order by 1`
      : sql`select prefix, count(*) as count from (
            select distinct tenant, row, ${prefix} as prefix from ${values}
          ) as spans group by 1 order by 1`,
  );
}

async function statistics(question: Question): Promise<Statistics> {
  const { query, source } = question;
  const numeric = query.layout.fields.get(source.field)?.type === "number";
  // Whole numbers add up to the same in any order; fractions do not.
  const sums = numeric
    ? sql`, sum(value) as sum, sum(case when value = round(value) then 0 else 1 end) as fractions`
    : sql``;
  const [row] = await answers<{
    count: number;
    min: unknown;
    max: unknown;
    sum?: number;
    fractions?: number;
  }>(
    question,
    "statistics",
    (values) =>
      sql`select count(*) as count, min(value) as min, max(value) as max${sums} from ${values}`,
  );
  if (row === undefined || row.count === 0) return { count: 0, sum: null, min: null, max: null };
  const { count, sum = null } = row;
  const exact = sum === null || (row.fractions === 0 && Number.isSafeInteger(sum));
  return {
    count,
    sum: exact ? sum : await sumInOrder(question),
    min: source.decode(row.min),
    max: source.decode(row.max),
  };
}

/** Adds up in ascending order, so that both engines round alike. */
async function sumInOrder(question: Question): Promise<number> {
  const rows = await answers<{ value: number; count: number }>(
    question,
    "addends",
    (values) => sql`select value, count(*) as count from ${values} group by value order by value`,
  );
  let sum = 0;
  for (const { value, count } of rows) {
    for (let added = 0; added < count; added += 1) sum += value;
  }
  return sum;
}

async function valuesAtRanks(
  question: Question,
  ranks: readonly number[],
): Promise<readonly FacetValue[]> {
  const { query, source } = question;
  const wanted = slot(query.draft.slot([...new Set(ranks)]));
  const rows = await answers<{ place: number; value: unknown }>(
    question,
    "ranks",
    (values) =>
      sql`select place, value from (
          select value, row_number() over (order by value) - 1 as place from ${values}
        ) as places
        where ${query.dialect.anyOf(sql`place`, wanted, "integer")}`,
  );
  const found = new Map(rows.map(({ place, value }) => [place, source.decode(value)]));
  return ranks.flatMap((rank) => found.get(rank) ?? []);
}
