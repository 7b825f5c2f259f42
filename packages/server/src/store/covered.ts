import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { Branch } from "./branches.ts";
import type { Layout } from "./columns.ts";
import { columnsFor, whereOf, type RowScope } from "./filter-to-where.ts";
import type { Shape } from "./shape.ts";
import { bind } from "./statements.ts";

/**
 * Whether one index has all that a branch's conditions, and a query that reads `field` besides, look
 * at. Then the few versions that are out of sight are left out by an index of their own, and no row
 * need be fetched: counting and grouping become several times as fast.
 */
export function isCovered(branch: Branch, layout: Layout, field?: string): boolean {
  const fields = new Set(branch.conditions.filter(isNotLive).flatMap(fieldsOf));
  if (field !== undefined) fields.add(field);
  if (branch.turned !== null || fields.size > 1) return false;
  return [...fields].every((name) => {
    if (name === null || !layout.indexed.has(name)) return false;
    return !columnsFor(name, { layout }).turns;
  });
}

/** Whether a branch asks nothing of its records, but that they live. */
export const isUnfiltered = ({ conditions }: Branch): boolean => !conditions.some(isNotLive);

const isNotLive = ({ kind }: Shape): boolean => kind !== "live";

/** Null stands for what no field's index has. */
function fieldsOf(shape: Shape): readonly (string | null)[] {
  switch (shape.kind) {
    case "all":
    case "none":
      return [];
    case "live":
    case "deleted":
    case "readable":
    case "not-replaced":
    case "text":
    case "words":
      return [null];
    case "and":
    case "or":
      return shape.operands.flatMap(fieldsOf);
    case "not":
      return fieldsOf(shape.operand);
    default:
      return ["fold" in shape && shape.fold ? null : shape.field];
  }
}

/** The whole `where` of a covered branch. */
export function coveredWhere(branch: Branch, scope: RowScope): RawBuilder<SqlBool> {
  const conditions = branch.conditions.filter(isNotLive).map((each) => whereOf(each, scope));
  return sql`${sql.join([inSight("t", branch, scope), ...conditions], sql` and `)}`;
}

/**
 * The versions that the snapshot sees, by their places alone; `alias`: of the rows that have them. The
 * range of one keeps SQLite from the primary key, which it would take over any other index.
 */
export function inSight(
  alias: "t" | "v",
  { cid, snapshot, conditions }: Branch,
  { layout }: RowScope,
): RawBuilder<SqlBool> {
  const of = sql.raw(alias);
  const deleted = conditions.some(({ kind }) => kind === "live")
    ? sql`or h.purge_at is not null`
    : sql``;
  return sql`${of}.cid = ${bind(cid)} and ${of}.valid_from <= ${bind(snapshot)}
    and not exists (
      select 1 from ${sql.table(layout.table)} as h
      where h.cid = ${of}.cid and h.row = ${of}.row
      and h.valid_from between ${of}.valid_from and ${of}.valid_from
      and (h.valid_to is not null or h.purge_at is not null)
      and (h.valid_to <= ${bind(snapshot)} ${deleted}))`;
}
