import type { SortKey } from "@security-platform/fql";
import { sql, type Sql } from "../dialects/sql.ts";
import { branchValue, scopeOf, visible, type Branch, type BranchQuery } from "./branches.ts";
import { whereFrom, whereOf } from "../filters/filter-to-where.ts";
import type { RowScope } from "../statements/read-values.ts";
import { joinConditions } from "../statements/join-conditions.ts";
import type { Shape } from "../filters/shape.ts";
import { servedText, completeText } from "../statements/record-text.ts";
import type { Position } from "../types/types.ts";

/** The plan of a statement that reads a page or a segment of one. */
export interface PagePlan extends Pick<BranchQuery, "layout" | "dialect" | "now"> {
  /** `complete`: texts for `readComplete`. */
  readonly shape: "records" | "ids" | "complete";
  readonly sort: readonly SortKey[];
  /**
   * `present`: records with a value of the first sort key, which come first. `missing`: records without one.
   * `any`: no sort.
   */
  readonly segment: "present" | "missing" | "any";
  /** The end of the previous page, if it is in this segment. */
  readonly after: Position | null;
  /** The order of the sources of records with equal sort keys. */
  readonly places: "asc" | "desc";
  readonly branches: readonly PageBranch[];
  readonly limit: number;
  readonly offset: number;
  /** Sort and limit the rows first, then fetch the texts. Cheaper unless an index has the order. */
  readonly late: boolean;
}

export interface PageBranch extends Branch {
  /**
   * Where the engine starts: the order of the page, the matching rows, or the condition with this index.
   * Null: the engine chooses.
   */
  readonly start: "order" | "rows" | number | null;
  /** The matching rows, if they replace the conditions. */
  readonly rows: readonly number[] | null;
}

/** Text or identifier, row, index of its source, sort keys. */
export type PageRow = readonly [
  item: string,
  row: number,
  place: number,
  ...keys: (string | number | boolean | null)[],
];

/** The direction of the tie-breaker. It equals that of the last sort key, so that one index has both. */
export const rowDirection = (sort: readonly SortKey[]): "asc" | "desc" =>
  sort.at(-1)?.direction ?? "asc";

export function pageQuery(plan: PagePlan): Sql<PageRow> {
  const { branches, limit, offset, late, layout } = plan;
  const [only] = branches;
  const cut = offset === 0 ? sql`limit ${limit}` : sql`limit ${limit} offset ${offset}`;
  let rows: Sql<PageRow>;
  if (only !== undefined && branches.length === 1) {
    rows = sql`${branchSelect(plan, only)} ${cut}`;
  } else {
    const parts = branches.map(
      (branch, at) =>
        sql`select * from (${branchSelect(plan, branch)} limit ${limit + offset}) as ${sql.id(`b${at}`)}`,
    );
    rows = sql`${sql.join(parts, " union all ")} order by ${resultOrder(plan, "")} ${cut}`;
  }
  if (!late) return rows;
  const keys = plan.sort.map((_, at) => sql.id("p", `k${at}`));
  return sql`
    select ${sql.join([itemOf(plan, null), sql`p.row, p.place`, ...keys])}
    from (${rows}) as p
    join ${sql.id(layout.table)} as t
      on t.cid = p.cid and t.row = p.row and t.valid_from = p.valid_from
    order by ${resultOrder(plan, "p.")}`;
}

/** The order of a result's columns, the same for every branch. */
function resultOrder({ sort, segment, places }: PagePlan, from: "" | "p."): Sql {
  const keys = sort.map(
    ({ direction }, at) => `${from}k${at} ${direction}${at === 0 ? "" : " nulls last"}`,
  );
  return sql.raw(
    [
      ...(segment === "missing" ? keys.slice(1) : keys),
      `${from}place ${places}`,
      `${from}row ${rowDirection(sort)}`,
    ].join(", "),
  );
}

function branchSelect(plan: PagePlan, branch: PageBranch): Sql {
  const { sort, late, layout } = plan;
  const scope = scopeOf(plan, branch);
  const keys = sort.map(({ field }) => branchValue(field, branch, scope));
  const columns = [
    late ? sql`t.cid, t.valid_from` : sql`${itemOf(plan, scope.expired)} as item`,
    sql`t.row`,
    sql`${sql.literal(branch.place)} as place`,
    ...keys.map((key, at) => sql`${key} as ${sql.id(`k${at}`)}`),
  ];
  const sortConditions = [
    ...segmentConditions(plan, keys),
    ...afterConditions(plan, branch, keys),
  ].map((condition) => (isSortedAfter(branch) ? guarded(condition, scope) : condition));
  const conditions =
    branch.rows === null
      ? branch.conditions.map((condition, at) => conditionOf(condition, at, branch, scope))
      : [isOneOf(branch.rows, branch, scope)];
  const rows = sql`select ${sql.join(columns)} from ${sql.id(layout.table)} as t
    where ${joinConditions([visible(branch, scope), ...conditions, ...sortConditions], "and")}`;
  const order = sql`order by ${branchOrder(plan)}`;
  if (!isSortedAfter(branch)) return sql`${rows} ${order}`;
  // The limit is never reached. It prevents the engine from using the index of the order.
  return sql`select * from (${rows} limit ${sql.literal(Number.MAX_SAFE_INTEGER)} offset 0) as l ${order}`;
}

/** Whether the order in which the rows are found differs from the order of the page. */
const isSortedAfter = ({ start }: PageBranch): boolean =>
  start === "rows" || typeof start === "number";

/** `expired` is null if the rows of all branches are read. */
function itemOf({ shape, now, layout: { resource } }: PagePlan, expired: boolean | null): Sql {
  if (shape === "ids") return sql`t.id`;
  return (shape === "complete" ? completeText : servedText)(resource, { now, expired });
}

/**
 * Hides a condition from the planner: no index can serve it, and the planner assumes that half of the rows
 * match.
 */
const guarded = (condition: Sql, { dialect }: RowScope): Sql =>
  sql`case when ${condition} then ${dialect.boolean(true)} else ${dialect.boolean(false)} end`;

/**
 * The row is one of the known rows. If the engine follows an order, it looks up each row in a hash of them.
 */
function isOneOf(rows: readonly number[], { start }: PageBranch, scope: RowScope): Sql {
  const { dialect } = scope;
  if (start !== "order") return dialect.anyOf(sql`t.row`, rows, "integer");
  const known = sql`select listed.value from ${dialect.elements(rows, "integer")}`;
  return guarded(sql`t.row in (${known})`, scope);
}

/** The condition with the index `at`, in the form that fits the engine's start. */
export function conditionOf(
  condition: Shape,
  at: number,
  { start }: Pick<PageBranch, "start">,
  scope: RowScope,
): Sql {
  if (typeof start !== "number" && start !== "order") return whereOf(condition, scope);
  return start === at ? whereFrom(condition, scope) : guarded(whereOf(condition, scope), scope);
}

/** Includes the first key even if it is always null, because its index has the rows in this order. */
const branchOrder = ({ sort }: PagePlan): Sql =>
  sql.raw(
    [
      ...sort.map(({ direction }, at) => `k${at} ${direction}${at === 0 ? "" : " nulls last"}`),
      `row ${rowDirection(sort)}`,
    ].join(", "),
  );

function segmentConditions({ segment }: PagePlan, [first]: readonly Sql[]): readonly Sql[] {
  if (segment === "any" || first === undefined) return [];
  return [segment === "missing" ? sql`${first} is null` : sql`${first} is not null`];
}

function afterConditions(
  { sort, segment, after, places }: PagePlan,
  branch: Branch,
  keys: readonly Sql[],
): readonly Sql[] {
  if (after === null) return [];
  const row = rowBound(after, branch, sort, places);
  const rowFollows = sql`t.row ${later(rowDirection(sort))} ${row}`;
  const follows = (at: number): Sql => {
    const key = keys[at];
    const direction = sort[at]?.direction;
    const last = after.keys[at] ?? null;
    if (key === undefined || direction === undefined) return rowFollows;
    if (last === null) return sql`(${key} is null and ${follows(at + 1)})`;
    return sql`(${key} ${later(direction)} ${last} or ${key} is null
      or (${key} = ${last} and ${follows(at + 1)}))`;
  };
  const [first, ...others] = keys;
  const direction = sort[0]?.direction;
  const last = after.keys[0] ?? null;
  if (first === undefined || direction === undefined) return [rowFollows];
  if (segment === "missing") return [follows(1)];
  if (last === null) return [];
  if (others.length === 0) {
    return [sql`(${first}, t.row) ${later(direction)} (${last}, ${row})`];
  }
  // The first condition is a range for the index; the second one is exact.
  return [
    sql`${first} ${later(direction)}= ${last}`,
    sql`(${first} ${later(direction)} ${last} or ${follows(1)})`,
  ];
}

/** The row after which the branch continues. Records with equal sort keys are ordered by source, then by row. */
function rowBound(
  after: Position,
  { place }: Branch,
  sort: readonly SortKey[],
  places: PagePlan["places"],
): number {
  if (place === after.place) return after.row;
  const ascending = rowDirection(sort) === "asc";
  const isBefore = place < after.place === (places === "asc");
  return isBefore === ascending ? Number.MAX_SAFE_INTEGER : -1;
}

const later = (direction: "asc" | "desc"): Sql => sql.raw(direction === "asc" ? ">" : "<");
