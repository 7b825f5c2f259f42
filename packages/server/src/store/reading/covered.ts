import { sql, type RawBuilder, type SqlBool } from "kysely";
import { whileInTime, type Branch } from "./branches.ts";
import type { Layout } from "../rows/columns.ts";
import { whereOf } from "../filters/filter-to-where.ts";
import { columnsFor, type RowScope } from "../statements/read-values.ts";
import { joinConditions } from "../statements/join-conditions.ts";
import type { Shape } from "../filters/shape.ts";
import { bind } from "../statements/statements.ts";

/**
 * Whether one index covers the branch. It then holds every column that the conditions compare, and `field` if
 * the query reads it. Counting and grouping read no rows in this case, which is several times as fast. A
 * small separate index excludes the versions that the snapshot does not see.
 */
export function isCovered(branch: Branch, layout: Layout, field?: string): boolean {
  const fields = new Set(branch.conditions.filter(isNotLive).flatMap(fieldsOf));
  if (field !== undefined) fields.add(field);
  if (branch.expired !== null || fields.size > 1) return false;
  return [...fields].every((name) => {
    if (name === null || !layout.indexed.has(name)) return false;
    return !columnsFor(name, { layout }).expires;
  });
}

/** Whether the only condition on records is that they are not deleted. */
export const isUnfiltered = ({ conditions }: Branch): boolean => !conditions.some(isNotLive);

const isNotLive = ({ kind }: Shape): boolean => kind !== "live";

/** Null: no index of a field covers the shape. */
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
    case "elements":
      return [null];
    case "and":
    case "or":
      return shape.operands.flatMap(fieldsOf);
    case "not":
      return fieldsOf(shape.operand);
    default:
      return ["fold" in shape && shape.fold === true ? null : shape.field];
  }
}

/** The complete `where` of a covered branch. */
export function coveredWhere(branch: Branch, scope: RowScope): RawBuilder<SqlBool> {
  const conditions = branch.conditions.filter(isNotLive).map((each) => whereOf(each, scope));
  const seen = inSight("t", branch, scope);
  // Without conditions, the check of the time would be most of the work.
  if (conditions.length === 0) return seen;
  const first = sql<SqlBool>`${seen} ${whileInTime(scope.dialect)}`;
  return joinConditions([first, ...conditions], "and");
}

/** Selects the versions that the snapshot sees, by row and write number. `alias` is the table of the rows. */
export function inSight(
  alias: "t" | "v",
  { cid, snapshot, conditions }: Branch,
  { layout, dialect }: RowScope,
): RawBuilder<SqlBool> {
  const of = sql.raw(alias);
  const deleted = conditions.some(({ kind }) => kind === "live")
    ? sql`or h.purge_at is not null`
    : sql``;
  const among = dialect.notAmong({
    row: sql`${of}.row`,
    validFrom: sql`${of}.valid_from`,
    versions: sql`${sql.table(layout.table)} as h where h.cid = ${bind(cid)}
      and (h.valid_to is not null or h.purge_at is not null)
      and (h.valid_to <= ${bind(snapshot)} ${deleted})`,
  });
  return sql`${of}.cid = ${bind(cid)} and ${of}.valid_from <= ${bind(snapshot)} and ${among}`;
}
