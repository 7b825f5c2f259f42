import type { LeafShape, Shape } from "../statements/shapes.ts";
import type { Branch } from "./branches.ts";
import { sql, type Sql } from "../dialects/sql.ts";
import { elementWhere, whereOf } from "../filters/filter-to-where.ts";
import { columnsFor, elementField } from "../statements/read-values.ts";

/**
 * Whether one index covers the branch, which has no filter: it holds `field`, if the query reads one. Counting and
 * grouping read no rows in this case, which is several times as fast on SQLite. A small separate index excludes the
 * versions that the snapshot does not see.
 */
export function isCovered(branch: Branch, field?: string): boolean {
  const { layout } = branch;
  if (branch.expired !== null || !isUnfiltered(branch)) return false;
  return field === undefined || (layout.indexed.has(field) && !columnsFor(field, branch).expires);
}

/** Whether the only condition on records is that they are not deleted. */
export const isUnfiltered = ({ conditions }: Branch): boolean =>
  conditions.every(({ kind }) => kind === "live");

/**
 * Selects the versions that the snapshot sees, by row and write number: the complete `where` of a covered branch.
 * `alias` is the table of the rows.
 */
export function isVisibleInIndex(
  alias: "t" | "v",
  { layout, dialect, cid, snapshot, conditions }: Branch,
): Sql {
  const [row, validFrom] = [sql.id(alias, "row"), sql.id(alias, "valid_from")];
  const deleted = conditions.some(({ kind }) => kind === "live")
    ? sql`or h.purge_at is not null`
    : sql``;
  const versions = sql`${sql.id(layout.table)} as h where h.cid = ${cid}
    and (h.valid_to is not null or h.purge_at is not null)
    and (h.valid_to <= ${snapshot} ${deleted})`;
  return sql`${sql.id(alias, "cid")} = ${cid} and ${validFrom} <= ${snapshot}
    and ${dialect.notAmong({ row, validFrom, versions })}`;
}

/** The index of the only condition on records, apart from the one that they are not deleted. */
export function onlyCondition({ conditions }: Branch): number | null {
  const others = [...conditions.entries()].filter(([, { kind }]) => kind !== "live");
  return others.length === 1 ? (others[0]?.[0] ?? null) : null;
}

/** Whether one index has all that decides the condition. */
export function isInOneIndex(condition: Shape, branch: Branch): condition is LeafShape {
  if (!("field" in condition) || condition.kind === "words" || condition.kind === "elements") {
    return false;
  }
  if (condition.kind === "text" || ("fold" in condition && condition.fold === true)) return false;
  if (condition.kind === "glob" && (condition.range === null || condition.pattern !== null)) {
    return false;
  }
  const { field, expires, type } = columnsFor(condition.field, branch);
  if (expires || branch.fields.has(condition.field)) return false;
  if (field.array !== true) return branch.layout.indexed.has(condition.field);
  // The index has only the start of a long text, and no numbers.
  return type !== "number" && condition.kind !== "compare" && condition.kind !== "range";
}

/** The versions of the tenant that a condition `isInOneIndex` finds, as `from … where …` with the alias of `indexAlias`. */
export function inOneIndex(condition: LeafShape, branch: Branch): Sql {
  const { layout, cid } = branch;
  const columns = columnsFor(condition.field, branch);
  if (columns.field.array !== true || condition.kind === "words") {
    return sql`${sql.id(layout.table)} as t where t.cid = ${cid} and ${whereOf(condition, branch)}`;
  }
  return sql`${sql.id(layout.valuesTable)} as v where v.cid = ${cid}
    and v.field = ${elementField(columns, branch)} and ${elementWhere(condition, columns, branch, "many")}`;
}

export const indexAlias = ({ field }: LeafShape, branch: Branch): "t" | "v" =>
  columnsFor(field, branch).field.array === true ? "v" : "t";

/** Whether a version is there at most once. Several elements of one record may satisfy another condition. */
export const isOncePerVersion = ({ kind, field }: LeafShape, branch: Branch): boolean =>
  kind === "equal" || columnsFor(field, branch).field.array !== true;
