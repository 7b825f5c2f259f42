import type { SortKey } from "@security-platform/fql";
import { sql, type Sql } from "../dialects/sql.ts";
import {
  branchValue,
  conditionOf,
  foldedBranchValue,
  hiddenFromPlanner,
  visibleVersions,
} from "./branch-sql.ts";
import type { Branch } from "./branches.ts";
import { isInOneIndex, versionsInIndex } from "./in-indexes.ts";
import { whereOf } from "../filters/filter-to-where.ts";
import type { RowScope } from "../statements/read-values.ts";
import { joinConditions } from "../statements/join-conditions.ts";
import type { Start } from "./start-shapes.ts";
import type { FieldShape, Shape } from "../statements/shapes.ts";
import { servedText, completeText } from "../statements/record-text.ts";
import type { PageQuery, Position } from "../types/types.ts";

/**
 * A sort key. `folded`: the text without regard to case. `exact`: the text itself, which orders texts that differ only
 * in case. It follows the folded one, and both are missing together.
 */
export interface PageKey extends SortKey {
  readonly form?: "folded" | "exact";
}

/** A query for one page of texts, identifiers or complete records. */
export interface ResolvedPageQuery extends Omit<PageQuery, "shape" | "sort"> {
  readonly sort: readonly PageKey[];
  /** `complete`: texts for `readComplete`. */
  readonly shape: "records" | "ids" | "complete";
}

/** The plan of a statement that reads a page or a segment of one. */
export interface PagePlan {
  readonly query: ResolvedPageQuery;
  /**
   * `present`: records with a value of the first sort key, which come first. `missing`: records without one.
   * `any`: no sort.
   */
  readonly segment: "present" | "missing" | "any";
  /** The order of the sources of records with equal sort keys. */
  readonly places: "asc" | "desc";
  /** At least one. */
  readonly branches: readonly PageBranch[];
  readonly limit: number;
  readonly offset: number;
  /** The first sort key up to which records are read. Absent: all. */
  readonly until?: KeyValue;
}

export type KeyValue = string | number | boolean;

export interface PageBranch extends Branch {
  readonly start: Start;
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
export const rowDirection = (sort: readonly PageKey[]): "asc" | "desc" =>
  sort.at(-1)?.direction ?? "asc";

export function pageQuery(plan: PagePlan): Sql<PageRow> {
  const { query, branches, limit, offset } = plan;
  const [first] = branches as readonly [PageBranch, ...PageBranch[]];
  // The rows are sorted and limited before their texts are fetched, which is cheaper unless an index has the order.
  const textsFetchedLater = offset > 0 || branches.some(({ start }) => start.kind !== "order");
  const cut = offset === 0 ? sql`limit ${limit}` : sql`limit ${limit} offset ${offset}`;
  let rows: Sql<PageRow>;
  if (branches.length === 1) {
    rows = sql`${branchSelect(plan, first, textsFetchedLater)} ${cut}`;
  } else {
    const parts = branches.map(
      (branch, at) =>
        sql`select * from (${branchSelect(plan, branch, textsFetchedLater)} limit ${limit + offset}) as ${sql.id(`b${at}`)}`,
    );
    rows = sql`${sql.join(parts, " union all ")} order by ${orderOf(plan, ["place"])} ${cut}`;
  }
  if (!textsFetchedLater) return rows;
  const keys = query.sort.map((_, at) => sql.raw(`p.k${at}`));
  return sql`
    select ${sql.join([itemOf(query, { ...first, expired: null }), sql`p.row, p.place`, ...keys])}
    from (${rows}) as p
    join ${sql.id(first.layout.table)} as t
      on t.cid = p.cid and t.row = p.row and t.valid_from = p.valid_from
    where t.cid in (${sql.join([...new Set(branches.map(({ cid }) => cid))])})
    order by ${orderOf(plan, ["place"], "p.")}`;
}

/**
 * The order of the columns of a branch, or of all branches with their `place`. Includes the first key even if it is
 * always null, because its index has the rows in this order.
 */
function orderOf({ query: { sort }, places }: PagePlan, place: readonly "place"[], from = ""): Sql {
  const columns: string[] = [];
  for (const [at, { direction, form }] of sort.entries()) {
    const isNullable = at > 0 && form !== "exact";
    columns.push(`${from}k${at} ${direction}${isNullable ? " nulls last" : ""}`);
  }
  for (const name of place) columns.push(`${from}${name} ${places}`);
  return sql.raw([...columns, `${from}row ${rowDirection(sort)}`].join(", "));
}

/** The sort keys of a branch, and their columns. */
function keysOf(sort: readonly PageKey[], branch: Branch): readonly { key: Sql; column: Sql }[] {
  return sort.map(({ field, form }, at) => {
    const key = form === "folded" ? foldedBranchValue(field, branch) : branchValue(field, branch);
    return { key, column: sql`${key} as ${sql.raw(`k${at}`)}` };
  });
}

/**
 * The first sort key that a page with one branch has reached after so many steps along its order. Only an index is read.
 */
export function keyAfter(plan: PagePlan, steps: number): Sql<readonly [key: KeyValue]> {
  const { sort, after } = plan.query;
  const [branch] = plan.branches as readonly [PageBranch];
  const keys = keysOf(sort, branch);
  const [first] = keys as readonly [(typeof keys)[number]];
  const conditions = [
    sql`t.cid = ${branch.cid}`,
    sql`${first.key} is not null`,
    ...branch.conditions.flatMap((each) =>
      isOnOrder(each, plan, branch) ? whereOf(each, branch) : [],
    ),
    ...(after === undefined
      ? []
      : afterConditions(
          plan,
          after,
          branch,
          keys.map(({ key }) => key),
        )),
  ];
  return sql`select ${first.column} from ${sql.id(branch.layout.table)} as t
    where ${joinConditions(conditions, "and")}
    order by k0 ${sql.raw(sort[0]?.direction ?? "asc")} limit 1 offset ${sql.literal(steps)}`;
}

/** `textsFetchedLater`: selects keys of rows instead of their texts, which only the rows of the page need. */
function branchSelect(plan: PagePlan, branch: PageBranch, textsFetchedLater: boolean): Sql {
  const { query, segment } = plan;
  const { sort, after } = query;
  const { start } = branch;
  const columns = [
    textsFetchedLater ? sql`t.cid, t.valid_from` : sql`${itemOf(query, branch)} as item`,
    sql`t.row`,
    sql`${sql.literal(branch.place)} as place`,
  ];
  const keys: Sql[] = [];
  for (const { key, column } of keysOf(sort, branch)) {
    keys.push(key);
    columns.push(column);
  }
  const sorting = after === undefined ? [] : afterConditions(plan, after, branch, keys);
  const [first] = keys;
  if (first !== undefined && segment !== "any") {
    sorting.unshift(segment === "missing" ? sql`${first} is null` : sql`${first} is not null`);
  }
  if (first !== undefined && plan.until !== undefined) {
    sorting.push(
      sql`${first} ${sql.raw(sort[0]?.direction === "desc" ? ">=" : "<=")} ${plan.until}`,
    );
  }
  // Whether the order in which the rows are found differs from the order of the page.
  const isSorted = start.kind === "rows" || start.kind === "condition";
  const conditions = [visibleVersions(branch)];
  if (branch.rows !== null) conditions.push(isKnownRow(branch.rows, branch));
  const inOrder = start.kind === "in-order" ? start.condition : null;
  for (const condition of branch.rows === null ? branch.conditions : []) {
    if (condition === inOrder) continue;
    conditions.push(
      isOnOrder(condition, plan, branch)
        ? whereOf(condition, branch)
        : conditionOf(condition, start, branch),
    );
  }
  for (const condition of sorting) {
    conditions.push(isSorted ? hiddenFromPlanner(condition, branch) : condition);
  }
  const order = sql`order by ${orderOf(plan, [])}`;
  if (inOrder !== null) {
    // The limit of one row keeps the engine from joining in another order.
    return sql`select l.* from (${versionsInOrder(inOrder, plan, branch)}) as f
      cross join lateral (select ${sql.join(columns)} from ${sql.id(branch.layout.table)} as t
        where t.row = f.row and t.valid_from = f.valid_from and ${joinConditions(conditions, "and")}
        limit 1 offset 0) as l
      order by f.row ${sql.raw(rowDirection(query.sort))}`;
  }
  const rows = sql`select ${sql.join(columns)} from ${sql.id(branch.layout.table)} as t
    where ${joinConditions(conditions, "and")}`;
  if (!isSorted) return sql`${rows} ${order}`;
  // The limit is never reached. It prevents the engine from using the index of the order.
  return sql`select * from (${rows} limit ${sql.literal(Number.MAX_SAFE_INTEGER)} offset 0) as l ${order}`;
}

/** The versions that the condition finds, in the order of the page. Only an index is read for them. */
function versionsInOrder(
  condition: FieldShape,
  { query: { sort, after }, places }: PagePlan,
  branch: PageBranch,
): Sql {
  const also = (alias: "t" | "v") =>
    after === undefined
      ? branch.dialect.boolean(true)
      : rowFollows(sql.id(alias, "row"), after, branch, sort, places);
  const found = versionsInIndex(condition, branch, also);
  const order = sql`order by row ${sql.raw(rowDirection(sort))}`;
  // The index has the versions of a single value in the order of their rows. The others are sorted: the limit, which is
  // never reached, prevents the engine from searching along an index of the rows.
  return condition.kind === "equal"
    ? sql`${found} ${order}`
    : sql`select * from (${found} limit ${sql.literal(Number.MAX_SAFE_INTEGER)} offset 0) as all_found ${order}`;
}

function itemOf({ shape }: ResolvedPageQuery, rows: RowScope): Sql {
  if (shape === "ids") return sql`t.id`;
  return (shape === "complete" ? completeText : servedText)(rows.layout.resource, rows);
}

/**
 * The row is one of the known rows. If the engine follows an order, it looks up each row in a hash of them.
 */
function isKnownRow(rows: readonly number[], branch: PageBranch): Sql {
  const { dialect, start } = branch;
  if (start.kind !== "order") return dialect.anyOf(sql`t.row`, rows, "integer");
  const listedNumbers = sql`select listed.value from ${dialect.elements(rows, "integer")}`;
  return hiddenFromPlanner(sql`t.row in (${listedNumbers})`, branch);
}

/** Whether the condition is a part of the index in whose order the page is read, so that it limits what is read. */
function isOnOrder(condition: Shape, { query: { sort } }: PagePlan, branch: PageBranch): boolean {
  const [key] = sort;
  return (
    branch.start.kind === "order" &&
    isInOneIndex(condition, branch) &&
    condition.columns.name === key?.field &&
    condition.kind !== "present"
  );
}

function afterConditions(
  { query: { sort }, segment, places }: PagePlan,
  after: Position,
  branch: Branch,
  keys: readonly Sql[],
): Sql[] {
  const row = rowBefore(after, branch, sort, places);
  const isLater = rowFollows(sql`t.row`, after, branch, sort, places);
  const follows = (at: number): Sql => {
    const key = keys[at];
    const direction = sort[at]?.direction;
    const last = after.keys[at] ?? null;
    if (key === undefined || direction === undefined) return isLater;
    if (last === null) return sql`(${key} is null and ${follows(at + 1)})`;
    return sql`(${key} ${comparisonOf(direction)} ${last} or ${key} is null
      or (${key} = ${last} and ${follows(at + 1)}))`;
  };
  const [first, ...others] = keys;
  const direction = sort[0]?.direction;
  const last = after.keys[0] ?? null;
  if (first === undefined || direction === undefined) return [isLater];
  // This segment follows the one in which the previous page ended.
  if (segment === "missing") return last === null ? [follows(1)] : [];
  if (last === null) return [];
  if (others.length === 0) {
    return [sql`(${first}, t.row) ${comparisonOf(direction)} (${last}, ${row})`];
  }
  const [exact] = others;
  if (others.length === 1 && exact !== undefined && sort[1]?.form === "exact") {
    const position = sql`(${last}, ${after.keys[1] ?? null}, ${row})`;
    return [sql`(${first}, ${exact}, t.row) ${comparisonOf(direction)} ${position}`];
  }
  // The first condition is a range for the index; the second one is exact.
  return [
    sql`${first} ${comparisonOf(direction)}= ${last}`,
    sql`(${first} ${comparisonOf(direction)} ${last} or ${follows(1)})`,
  ];
}

/** For records with equal sort keys. */
const rowFollows = (
  row: Sql,
  after: Position,
  branch: Branch,
  sort: readonly PageKey[],
  places: PagePlan["places"],
): Sql => sql`${row} ${comparisonOf(rowDirection(sort))} ${rowBefore(after, branch, sort, places)}`;

/** The row after which the branch continues. Records with equal sort keys are ordered by source, then by row. */
function rowBefore(
  after: Position,
  { place }: Branch,
  sort: readonly PageKey[],
  places: PagePlan["places"],
): number {
  if (place === after.place) return after.row;
  const ascending = rowDirection(sort) === "asc";
  const isBefore = place < after.place === (places === "asc");
  return isBefore === ascending ? Number.MAX_SAFE_INTEGER : -1;
}

const comparisonOf = (direction: "asc" | "desc"): Sql => sql.raw(direction === "asc" ? ">" : "<");
