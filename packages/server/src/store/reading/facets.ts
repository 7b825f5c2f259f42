import type { Predicate } from "@security-platform/fql";
import { sql } from "kysely";
import {
  answers,
  columnsOfField,
  questionAbout,
  valuesOf,
  type Question,
  type SourcePlan,
} from "./field-source.ts";
import { Parameter } from "../statements/plan-key.ts";
import { bind, Template } from "../statements/statements.ts";
import type { FacetValue, Facets } from "../types/types.ts";
import { fieldsIn } from "./sources.ts";
import { queryOf, type View } from "./view.ts";

type Groups = Awaited<ReturnType<Facets["groups"]>>;
type Statistics = Awaited<ReturnType<Facets["statistics"]>>;

/** Facets over the view that `use` opens. */
export function facetsOver(
  use: <Result>(
    fields: readonly string[],
    work: (view: View) => Promise<Result>,
  ) => Promise<Result>,
): Facets {
  const about = <Result>(
    field: string,
    predicate: Predicate,
    now: Date,
    work: (question: Question) => Promise<Result>,
  ) =>
    use([field, ...fieldsIn(predicate)], async (view) =>
      work(await questionAbout(field, view, queryOf(view, predicate, now, [field]))),
    );
  return {
    groups: (field, predicate, options) =>
      about(field, predicate, options.now, (question) => groups(question, options)),
    timestampGroups: (field, predicate, { now, length }) =>
      about(field, predicate, now, (question) => timestampGroups(question, length)),
    statistics: (field, predicate, now) => about(field, predicate, now, statistics),
    cardinality: (field, predicate, now) =>
      about(field, predicate, now, async (question) => {
        const [row] = await answers(question, cardinalityTemplate, {});
        return row?.count ?? 0;
      }),
    valuesAtRanks: (field, predicate, { now, ranks }) =>
      about(field, predicate, now, (question) => valuesAtRanks(question, ranks)),
  };
}

const cardinalityTemplate = new Template<SourcePlan, { count: number }>(
  (plan, target) => sql`select count(distinct value) as count from ${valuesOf(plan, target)}`,
);

interface GroupsPlan extends SourcePlan {
  readonly order: "count" | "value";
  readonly direction: "asc" | "desc";
  readonly minimumCount: Parameter<number>;
  readonly maximumCount: Parameter<number>;
  readonly limit: Parameter<number>;
  readonly offset: Parameter<number>;
}

interface GroupRow {
  readonly value: unknown;
  readonly count: number | null;
  readonly total: number;
  readonly records: number;
}

const groupsTemplate = new Template<GroupsPlan, GroupRow>((plan, target) => {
  const direction = sql.raw(plan.direction);
  const by = plan.order === "count" ? sql`count ${direction}, value` : sql`value ${direction}`;
  return sql`with g as materialized (
      select value, count(*) as count from ${valuesOf(plan, target)} group by value
      having count(*) between ${bind(plan.minimumCount)} and ${bind(plan.maximumCount)})
    select totals.total, totals.records, page.value, page.count
    from (
      select count(*) as total, coalesce(cast(sum(count) as bigint), 0) as records from g
    ) as totals
    left join (
      select value, count from g order by ${by}
      limit ${bind(plan.limit)} offset ${bind(plan.offset)}
    ) as page on page.count > 0
    order by ${by}`;
});

async function groups(
  question: Question,
  options: Parameters<Facets["groups"]>[2],
): Promise<Groups> {
  const { order, direction, minimumCount = 1, maximumCount = Number.MAX_SAFE_INTEGER } = options;
  const rows = await answers(question, groupsTemplate, {
    order,
    direction,
    minimumCount: new Parameter(minimumCount),
    maximumCount: new Parameter(maximumCount),
    limit: new Parameter(options.limit),
    offset: new Parameter(options.offset ?? 0),
  });
  const [first] = rows;
  return {
    facets: rows.flatMap(({ value, count }) =>
      count === null ? [] : [{ value: question.decode(value), count }],
    ),
    total: first?.total ?? 0,
    records: first?.records ?? 0,
  };
}

interface TimestampsPlan extends SourcePlan {
  readonly length: Parameter<number>;
}

const timestampsTemplate = new Template<TimestampsPlan, { prefix: string; count: number }>(
  (plan, target) => {
    const values = valuesOf(plan, target);
    const prefix = sql`substr(value, 1, ${bind(plan.length)})`;
    // A record with two times in one span counts once.
    return columnsOfField(plan.field, target).field.array === true
      ? sql`select prefix, count(*) as count from (
          select distinct place, row, ${prefix} as prefix from ${values}
        ) as spans group by 1 order by 1`
      : sql`select ${prefix} as prefix, count(*) as count from ${values} group by 1 order by 1`;
  },
);

const timestampGroups = (question: Question, length: number) =>
  answers(question, timestampsTemplate, { length: new Parameter(length) });

interface StatisticsRow {
  readonly count: number;
  readonly min: unknown;
  readonly max: unknown;
  readonly sum?: number;
  readonly fractions?: number;
}

const statisticsTemplate = new Template<SourcePlan, StatisticsRow>((plan, target) => {
  // The order of additions affects the sum of fractions, but not the sum of integers.
  const sums =
    columnsOfField(plan.field, target).type === "number"
      ? sql`, sum(value) as sum, sum(case when value = round(value) then 0 else 1 end) as fractions`
      : sql``;
  return sql`select count(*) as count, min(value) as min, max(value) as max${sums}
    from ${valuesOf(plan, target)}`;
});

async function statistics(question: Question): Promise<Statistics> {
  const [row] = await answers(question, statisticsTemplate, {});
  if (row === undefined || row.count === 0) return { count: 0, sum: null, min: null, max: null };
  const { count, sum = null } = row;
  const exact = sum === null || (row.fractions === 0 && Number.isSafeInteger(sum));
  return {
    count,
    sum: exact ? sum : await sumInOrder(question),
    min: question.decode(row.min),
    max: question.decode(row.max),
  };
}

const addendsTemplate = new Template<SourcePlan, { value: number; count: number }>(
  (plan, target) => sql`select value, count(*) as count from ${valuesOf(plan, target)}
    group by value order by value`,
);

/** Adds the values in ascending order, so that both engines round in the same way. */
async function sumInOrder(question: Question): Promise<number> {
  let sum = 0;
  for (const { value, count } of await answers(question, addendsTemplate, {})) {
    for (let added = 0; added < count; added += 1) sum += value;
  }
  return sum;
}

interface RanksPlan extends SourcePlan {
  readonly ranks: Parameter<readonly number[]>;
}

const ranksTemplate = new Template<RanksPlan, { place: number; value: unknown }>(
  (plan, target) => sql`select place, value from (
      select value, row_number() over (order by value) - 1 as place
      from ${valuesOf(plan, target)}
    ) as places
    where ${target.dialect.anyOf(sql`place`, bind(plan.ranks), "integer")}`,
);

async function valuesAtRanks(
  question: Question,
  ranks: readonly number[],
): Promise<readonly FacetValue[]> {
  const rows = await answers(question, ranksTemplate, {
    ranks: new Parameter([...new Set(ranks)]),
  });
  const values = new Map(rows.map(({ place, value }) => [place, question.decode(value)]));
  return ranks.flatMap((rank) => values.get(rank) ?? []);
}
