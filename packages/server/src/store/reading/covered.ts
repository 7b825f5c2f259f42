import type { Branch } from "./branches.ts";
import { sql, type Sql } from "../dialects/sql.ts";
import type { FieldColumns } from "../rows/columns.ts";

/**
 * Whether one index covers the branch, which has no filter: it holds the field, if the query reads one. Counting and
 * grouping read no rows in this case, which is several times as fast on SQLite. A small separate index excludes the
 * versions that the snapshot does not see.
 */
export function isCovered(branch: Branch, columns?: FieldColumns): boolean {
  if (branch.expired !== null || !isUnfiltered(branch)) return false;
  return columns === undefined || (branch.layout.indexed.has(columns.name) && !columns.expires);
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
