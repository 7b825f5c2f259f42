import { sql } from "kysely";
import { branchesOf, branchWhere, scopeOf, type Branch, type BranchQuery } from "./branches.ts";
import { coveredWhere, isCovered } from "./covered.ts";
import type { Parameter } from "./plan-key.ts";
import { Template } from "./statements.ts";
import type { View } from "./view.ts";

/** Maximum number of matches whose rows are listed. */
const rowCeiling = 5_000;

/** The number of matches, and their rows if those are few and the count has read them. */
export interface Matches {
  readonly total: number;
  readonly rows: readonly number[] | null;
}

const none: Matches = { total: 0, rows: [] };

/** Counts the matches in the state of the data after the given writes. */
export async function countMatching(
  view: View,
  query: BranchQuery,
  snapshot: readonly number[],
): Promise<number> {
  return (await findMatches(view, query, snapshot)).total;
}

interface CountPlan {
  readonly now: Parameter<string>;
  readonly branches: readonly Branch[];
  /** Also list the matching rows. */
  readonly listed: boolean;
}

const countTemplate = new Template<CountPlan, { count: number; rows: string | null }>(
  ({ now, branches, listed }, { dialect, layout }) => {
    const rows = listed
      ? sql`case when count(*) <= ${sql.lit(rowCeiling)} then ${dialect.numberList(sql`t.row`)} end`
      : sql`null`;
    const counts = branches.map((branch) => {
      const where = isCovered(branch, layout) ? coveredWhere : branchWhere;
      return sql`select count(*) as count, ${rows} as rows from ${sql.table(layout.table)} as t
        where ${where(branch, scopeOf({ layout, dialect, now }, branch))}`;
    });
    return sql<{ count: number; rows: string | null }>`${sql.join(counts, sql` union all `)}`;
  },
);

/** The matches in the state of the data after the given writes. */
export async function findMatches(
  { statements, connection, sources }: View,
  query: BranchQuery,
  snapshot: readonly number[],
): Promise<Matches> {
  const branches = branchesOf(query, sources, snapshot);
  const [only] = branches;
  if (only === undefined) return none;
  // Listing the rows would cost more than a count that only reads an index.
  const listed = branches.length === 1 && !isCovered(only, query.layout);
  const { layout, now } = query;
  const found = await statements.run(connection, countTemplate, layout, { now, branches, listed });
  const total = found.reduce((sum, { count }) => sum + count, 0);
  const rows = listed && total <= rowCeiling ? readRows(found[0]?.rows ?? null) : null;
  return { total, rows };
}

const readRows = (text: string | null): readonly number[] =>
  text === null ? [] : text.split(",").map(Number);
