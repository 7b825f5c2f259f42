import { sql, type Sql } from "../dialects/sql.ts";

/** Maximum number of conditions that are joined without a tree. */
const inARow = 8;

/**
 * Joins conditions into one. Many conditions become a balanced tree: SQLite limits the depth of an
 * expression, and parses a sequence of conditions as a tree of that depth.
 */
export function joinConditions(conditions: readonly Sql[], kind: "and" | "or"): Sql {
  if (conditions.length <= inARow) return sql.join(conditions, ` ${kind} `);
  const middle = conditions.length >> 1;
  const halves = [conditions.slice(0, middle), conditions.slice(middle)].map(
    (half) => sql`(${joinConditions(half, kind)})`,
  );
  return sql.join(halves, ` ${kind} `);
}
