import type { SortKey } from "@security-platform/fql";
import { sql, type RawBuilder, type SqlBool } from "kysely";
import { branchValue, scopeOf, visible, type Branch } from "./branches.ts";
import { columnsFor, whereLedByElements, whereOf, type RowScope } from "./filter-to-where.ts";
import type { Shape } from "./shape.ts";
import type { Parameter } from "./plan-key.ts";
import { bind, Template, type Target } from "./statements.ts";
import { servedText, wholeText } from "./whole.ts";

/** One statement's part of a page, as plain data: equal plans are one statement. */
export interface PagePlan {
  readonly now: Parameter<string>;
  /** `whole`: texts for `readWhole`. */
  readonly shape: "records" | "ids" | "whole";
  readonly sort: readonly SortKey[];
  /** Which records by their first sort key: those that have it come first; `any` without a sort. */
  readonly segment: "present" | "missing" | "any";
  readonly after: AfterPlan | null;
  /** The order of the sources where sort keys are equal. */
  readonly places: "asc" | "desc";
  readonly branches: readonly PageBranch[];
  readonly limit: Parameter;
  readonly offset: Parameter | null;
  /** Limit and offset together: as far as each branch must be read. */
  readonly reach: Parameter;
  /** Sort and cut first, then fetch the texts: cheaper wherever no index gives the order. */
  readonly late: boolean;
}

export interface PageBranch extends Branch {
  /**
   * What the engine is to start from: the order of the page, the rows that match, one condition (its
   * place in the list), or whatever it finds best.
   */
  readonly lead: "order" | "rows" | number | null;
  /** The rows that match, where the page starts from those. */
  readonly rows: Parameter | null;
  /** Rows at or before this one are on earlier pages, where the sort keys are equal. */
  readonly afterRow: Parameter | null;
}

export interface AfterPlan {
  /** The last record's sort keys; null where it had none. */
  readonly keys: readonly (Parameter | null)[];
}

/** Text or identifier, row, place of its source, sort keys. */
export type PageRow = readonly [
  item: string,
  row: number,
  place: number,
  ...keys: (string | number | boolean | null)[],
];

type Condition = RawBuilder<SqlBool>;

/** The direction of the tie-breaker: an index read backwards gives both in one pass. */
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

/** Order over the columns of a result, the same for every branch. */
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
    plan.late ? sql`t.cid, t.valid_from` : sql`${itemOf(plan, target, scope.turned)} as item`,
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
      ? branch.conditions.map((condition, at) => led(condition, at, branch, scope))
      : [target.dialect.anyOf(sql`t.row`, bind(branch.rows), "integer")];
  const rows = sql`select ${sql.join(columns)} from ${sql.table(target.layout.table)} as t
    where ${sql.join([visible(branch, scope), ...conditions, ...sortConditions], sql` and `)}`;
  const order = sql`order by ${sql.join(branchOrder(plan))}`;
  if (!isSortedAfter(branch)) return sql`${rows} ${order}`;
  // Behind a limit, if one that nothing reaches, no engine sees that an index would give the order.
  return sql`select * from (${rows} limit ${sql.lit(Number.MAX_SAFE_INTEGER)} offset 0) as l ${order}`;
}

/** Whether the rows are found by something else than their order. */
const isSortedAfter = ({ lead }: PageBranch): boolean =>
  lead === "rows" || typeof lead === "number";

/** `turned` is null where rows of all branches are read. */
function itemOf({ shape, now }: PagePlan, { layout }: Target, turned: boolean | null = null) {
  if (shape === "ids") return sql`t.id`;
  return (shape === "whole" ? wholeText : servedText)(layout.resource, { now, turned });
}

/** A condition that no index can serve, and that the engine takes for true of every other row. */
const guarded = (condition: Condition, { dialect }: RowScope): Condition =>
  sql`case when ${condition} then ${dialect.boolean(true)} else ${dialect.boolean(false)} end`;

function led(condition: Shape, at: number, { lead }: PageBranch, scope: RowScope): Condition {
  if (typeof lead !== "number" && lead !== "order") return whereOf(condition, scope);
  if (lead !== at) return guarded(whereOf(condition, { ...scope, few: true }), scope);
  if (!("field" in condition) || condition.kind === "words") return whereOf(condition, scope);
  const array = columnsFor(condition.field, scope).field.array === true;
  return array ? whereLedByElements(condition, scope) : whereOf(condition, scope);
}

/** Keeps the first key in the order even where it is null throughout: its index has the rows in order. */
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
  // The first bound is for the index; the second condition decides.
  return [
    sql`${first} ${later(direction)}= ${bind(last)}`,
    sql`(${first} ${later(direction)} ${bind(last)} or ${follows(1)})`,
  ];
}

const later = (direction: "asc" | "desc") => sql.raw(direction === "asc" ? ">" : "<");
