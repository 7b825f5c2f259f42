import type { SortKey } from "@security-platform/fql";
import { sql, type RawBuilder, type SqlBool } from "kysely";
import { branchValue, scopeOf, visible, type Branch } from "./branches.ts";
import { whereFromElements, whereOf } from "../filters/filter-to-where.ts";
import { columnsFor, type RowScope } from "../statements/read-values.ts";
import { joinConditions } from "../statements/join-conditions.ts";
import { isOfField } from "../filters/lists.ts";
import type { Shape } from "../filters/shape.ts";
import type { Parameter } from "../statements/plan-key.ts";
import { bind, Template, type Target } from "../statements/statements.ts";
import { servedText, completeText } from "../statements/record-text.ts";

/**
 * The plan of a statement that reads a page or a segment of one. It is plain data, and equal plans share a
 * statement.
 */
export interface PagePlan {
  readonly now: Parameter<string>;
  /** `complete`: texts for `readComplete`. */
  readonly shape: "records" | "ids" | "complete";
  readonly sort: readonly SortKey[];
  /**
   * `present`: records with a value of the first sort key, which come first. `missing`: records without one.
   * `any`: no sort.
   */
  readonly segment: "present" | "missing" | "any";
  readonly after: AfterPlan | null;
  /** The order of the sources of records with equal sort keys. */
  readonly places: "asc" | "desc";
  readonly branches: readonly PageBranch[];
  readonly limit: Parameter;
  readonly offset: Parameter | null;
  /** The sum of limit and offset: the number of rows that each branch must read. */
  readonly reach: Parameter;
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
  readonly rows: Parameter | null;
  /** Among records with equal sort keys, those up to this row are on earlier pages. */
  readonly afterRow: Parameter | null;
}

export interface AfterPlan {
  /** The sort keys of the last record. Null for keys without a value. */
  readonly keys: readonly (Parameter | null)[];
}

/** Text or identifier, row, index of its source, sort keys. */
export type PageRow = readonly [
  item: string,
  row: number,
  place: number,
  ...keys: (string | number | boolean | null)[],
];

type Condition = RawBuilder<SqlBool>;

/** The direction of the tie-breaker. It equals that of the last sort key, so that one index has both. */
export const rowDirection = (sort: readonly SortKey[]): "asc" | "desc" =>
  sort.at(-1)?.direction ?? "asc";

export const pageTemplate = new Template<PagePlan, PageRow>((plan, target) => {
  const { branches, limit, offset, reach, late } = plan;
  const [only] = branches;
  const cut =
    offset === null ? sql`limit ${bind(limit)}` : sql`limit ${bind(limit)} offset ${bind(offset)}`;
  let rows: RawBuilder<unknown>;
  if (only !== undefined && branches.length === 1) {
    rows = sql`${branchSelect(plan, only, target)} ${cut}`;
  } else {
    const parts = branches.map(
      (branch, at) =>
        sql`select * from (${branchSelect(plan, branch, target)} limit ${bind(reach)}) as ${sql.id(`b${at}`)}`,
    );
    rows = sql`${sql.join(parts, sql` union all `)} order by ${sql.join(resultOrder(plan, ""))} ${cut}`;
  }
  if (!late) return rows as RawBuilder<PageRow>;
  const keys = plan.sort.map((_, at) => sql`p.${sql.id(`k${at}`)}`);
  return sql<PageRow>`
    select ${sql.join([itemOf(plan, target), sql`p.row, p.place`, ...keys])}
    from (${rows}) as p
    join ${sql.table(target.layout.table)} as t
      on t.cid = p.cid and t.row = p.row and t.valid_from = p.valid_from
    order by ${sql.join(resultOrder(plan, "p."))}`;
});

/** The order of a result's columns, the same for every branch. */
function resultOrder(
  { sort, segment, places }: PagePlan,
  prefix: "" | "p.",
): readonly RawBuilder<unknown>[] {
  const from = sql.raw(prefix);
  return [
    ...sort.flatMap(({ direction }, at) => {
      const key = sql`${from}${sql.id(`k${at}`)}`;
      if (at === 0) return segment === "missing" ? [] : [sql`${key} ${sql.raw(direction)}`];
      return [sql`${key} ${sql.raw(direction)} nulls last`];
    }),
    sql`${from}place ${sql.raw(places)}`,
    sql`${from}row ${sql.raw(rowDirection(sort))}`,
  ];
}

function branchSelect(plan: PagePlan, branch: PageBranch, target: Target): RawBuilder<unknown> {
  const scope = scopeOf({ ...target, now: plan.now }, branch);
  const keys = plan.sort.map(({ field }) => branchValue(field, branch, scope));
  const columns = [
    plan.late ? sql`t.cid, t.valid_from` : sql`${itemOf(plan, target, scope.expired)} as item`,
    sql`t.row`,
    sql`${sql.lit(branch.place)} as place`,
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
  const rows = sql`select ${sql.join(columns)} from ${sql.table(target.layout.table)} as t
    where ${joinConditions([visible(branch, scope), ...conditions, ...sortConditions], "and")}`;
  const order = sql`order by ${sql.join(branchOrder(plan))}`;
  if (!isSortedAfter(branch)) return sql`${rows} ${order}`;
  // The limit is never reached. It prevents the engine from using the index of the order.
  return sql`select * from (${rows} limit ${sql.lit(Number.MAX_SAFE_INTEGER)} offset 0) as l ${order}`;
}

/** Whether the order in which the rows are found differs from the order of the page. */
const isSortedAfter = ({ start }: PageBranch): boolean =>
  start === "rows" || typeof start === "number";

/** `expired` is null if the rows of all branches are read. */
function itemOf({ shape, now }: PagePlan, { layout }: Target, expired: boolean | null = null) {
  if (shape === "ids") return sql`t.id`;
  return (shape === "complete" ? completeText : servedText)(layout.resource, { now, expired });
}

/**
 * Hides a condition from the planner: no index can serve it, and the planner assumes that half of the rows
 * match.
 */
const guarded = (condition: Condition, { dialect }: RowScope): Condition =>
  sql`case when ${condition} then ${dialect.boolean(true)} else ${dialect.boolean(false)} end`;

/**
 * The row is one of the known rows. If the engine follows an order, it looks up each row in a hash of them.
 */
function isOneOf(rows: Parameter, { start }: PageBranch, scope: RowScope): Condition {
  const { dialect } = scope;
  if (start !== "order") return dialect.anyOf(sql`t.row`, bind(rows), "integer");
  const known = sql`select listed.value from ${dialect.elements(bind(rows), "integer")}`;
  return guarded(sql`t.row in (${known})`, scope);
}

/** The condition with the index `at`, in the form that fits the engine's start. */
export function conditionOf(
  condition: Shape,
  at: number,
  { start }: Pick<PageBranch, "start">,
  scope: RowScope,
): Condition {
  if (typeof start !== "number" && start !== "order") return whereOf(condition, scope);
  if (start !== at) return guarded(whereOf(condition, scope), scope);
  if (!isOfField(condition)) return whereOf(condition, scope);
  const array = columnsFor(condition.field, scope).field.array === true;
  return array ? whereFromElements(condition, scope) : whereOf(condition, scope);
}

/** Includes the first key even if it is always null, because its index has the rows in this order. */
function branchOrder({ sort }: PagePlan): readonly RawBuilder<unknown>[] {
  return [
    ...sort.map(({ direction }, at) => {
      const key = sql`${sql.id(`k${at}`)} ${sql.raw(direction)}`;
      return at === 0 ? key : sql`${key} nulls last`;
    }),
    sql`row ${sql.raw(rowDirection(sort))}`,
  ];
}

function segmentConditions(
  { segment }: PagePlan,
  [first]: readonly RawBuilder<unknown>[],
): readonly Condition[] {
  if (segment === "any" || first === undefined) return [];
  return [segment === "missing" ? sql`${first} is null` : sql`${first} is not null`];
}

function afterConditions(
  { sort, segment, after }: PagePlan,
  { afterRow }: PageBranch,
  keys: readonly RawBuilder<unknown>[],
): readonly Condition[] {
  if (after === null || afterRow === null) return [];
  const rowFollows: Condition = sql`t.row ${later(rowDirection(sort))} ${bind(afterRow)}`;
  const follows = (at: number): Condition => {
    const key = keys[at];
    const direction = sort[at]?.direction;
    const last = after.keys[at] ?? null;
    if (key === undefined || direction === undefined) return rowFollows;
    if (last === null) return sql`(${key} is null and ${follows(at + 1)})`;
    return sql`(${key} ${later(direction)} ${bind(last)} or ${key} is null or (${key} = ${bind(last)} and ${follows(at + 1)}))`;
  };
  const [first, ...others] = keys;
  const direction = sort[0]?.direction;
  const last = after.keys[0] ?? null;
  if (first === undefined || direction === undefined) return [rowFollows];
  if (segment === "missing") return [follows(1)];
  if (last === null) return [];
  if (others.length === 0) {
    return [sql`(${first}, t.row) ${later(direction)} (${bind(last)}, ${bind(afterRow)})`];
  }
  // The first condition is a range for the index; the second one is exact.
  return [
    sql`${first} ${later(direction)}= ${bind(last)}`,
    sql`(${first} ${later(direction)} ${bind(last)} or ${follows(1)})`,
  ];
}

const later = (direction: "asc" | "desc") => sql.raw(direction === "asc" ? ">" : "<");
