import { sql, type RawBuilder, type SqlBool } from "kysely";

type Condition = RawBuilder<SqlBool>;

const operators = { and: sql` and `, or: sql` or ` };
/** Maximum number of conditions that are joined without a tree. */
const inARow = 8;

/**
 * Joins conditions into one. Many conditions become a balanced tree: SQLite limits the depth of an
 * expression, and parses a sequence of conditions as a tree of that depth.
 */
export function joinConditions(conditions: readonly Condition[], kind: "and" | "or"): Condition {
  if (conditions.length <= inARow) return sql`${sql.join(conditions, operators[kind])}`;
  const middle = conditions.length >> 1;
  const halves = [conditions.slice(0, middle), conditions.slice(middle)].map(
    (half) => sql<SqlBool>`(${joinConditions(half, kind)})`,
  );
  return sql`${sql.join(halves, operators[kind])}`;
}
