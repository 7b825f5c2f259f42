import { sql } from "kysely";
import { branchesOf, branchWhere, scopeOf, type BranchQuery } from "./branches.ts";
import { coveredWhere, isCovered } from "./covered.ts";
import { run } from "./statements.ts";
import type { View } from "./view.ts";

/** How many records match, in the state of the data after the given writes. */
export async function countMatching(
  { statements, connection, owners }: View,
  query: BranchQuery,
  snapshot: readonly number[],
): Promise<number> {
  const branches = branchesOf(query, owners, snapshot);
  if (branches.length === 0) return 0;
  const { table } = query.layout;
  const statement = statements.get(`count ${JSON.stringify([table, branches])}`, () => {
    const counts = branches.map((branch) => {
      const where = isCovered(branch, query.layout) ? coveredWhere : branchWhere;
      return sql`(select count(*) from ${sql.table(table)} as t
        where ${where(branch, scopeOf(query, branch))})`;
    });
    return sql<{ count: number }>`select ${sql.join(counts, sql` + `)} as count`;
  });
  const [row] = await run(connection, statement, query.draft.values);
  return row?.count ?? 0;
}
