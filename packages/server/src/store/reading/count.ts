import { sql } from "kysely";
import { branchesOf, scopeOf, visible, type Branch, type BranchQuery } from "./branches.ts";
import { isVisible, isCovered } from "./covered.ts";
import type { RowScope } from "../statements/read-values.ts";
import { joinConditions } from "../statements/join-conditions.ts";
import { conditionOf, type PageBranch } from "./page-plan.ts";
import type { Parameter } from "../statements/plan-key.ts";
import { Template } from "../statements/statements.ts";
import type { View } from "./view.ts";

/** Maximum number of matches for which the rows are listed. A search for words costs more to repeat. */
const rowCeilings = { words: 20_000, other: 5_000 };

const rowCeiling = ({ conditions }: Branch): number =>
  conditions.some(({ kind }) => kind === "words") ? rowCeilings.words : rowCeilings.other;

/** The number of matches. Also their rows, if there are few and the count has read them. */
export interface Matches {
  readonly total: number;
  readonly rows: readonly number[] | null;
}

const none: Matches = { total: 0, rows: [] };

/** Counts the matches in the state of the data after these writes. */
export async function countMatching(
  view: View,
  query: BranchQuery,
  snapshot: readonly number[],
): Promise<number> {
  return (await findMatches(view, query, snapshot)).total;
}

/** `start`: the condition that the engine starts from. Null: the engine chooses. */
type CountBranch = Branch & Pick<PageBranch, "start">;

interface CountPlan {
  readonly now: Parameter<string>;
  readonly branches: readonly CountBranch[];
  /** The matching rows are listed as well, up to this number. Null: never. */
  readonly ceiling: number | null;
}

const countTemplate = new Template<CountPlan, { count: number; rows: string | null }>(
  ({ now, branches, ceiling }, { dialect, layout }) => {
    const rows =
      ceiling === null
        ? sql`null`
        : sql`case when count(*) <= ${sql.lit(ceiling)} then ${dialect.numberList(sql`t.row`)} end`;
    const counts = branches.map((branch) => {
      const scope = scopeOf({ layout, dialect, now }, branch);
      const where = isCovered(branch, layout)
        ? isVisible("t", branch, scope)
        : whereFromStart(branch, scope);
      return sql`select count(*) as count, ${rows} as rows from ${sql.table(layout.table)} as t
        where ${where}`;
    });
    return sql<{ count: number; rows: string | null }>`${sql.join(counts, sql` union all `)}`;
  },
);

const whereFromStart = (branch: CountBranch, scope: RowScope) =>
  joinConditions(
    [
      visible(branch, scope),
      ...branch.conditions.map((condition, at) => conditionOf(condition, at, branch, scope)),
    ],
    "and",
  );

/** Finds the matches in the state of the data after these writes. */
export async function findMatches(
  view: View,
  query: BranchQuery,
  snapshot: readonly number[],
): Promise<Matches> {
  const { statements, connection, sources, pageStarts } = view;
  const branches = branchesOf(query, sources, snapshot);
  const [only] = branches;
  if (only === undefined) return none;
  // Listing the rows costs more than a count that only reads an index.
  const ceiling = branches.length === 1 && !isCovered(only, query.layout) ? rowCeiling(only) : null;
  const { layout, now } = query;
  const started: CountBranch[] = [];
  for (const branch of branches) {
    const fence = sources[branch.place]?.fence ?? "";
    const start = await pageStarts.rarestElement(connection, query, { ...branch, fence });
    started.push({ ...branch, start });
  }
  const plan = { now, branches: started, ceiling };
  const counts = await statements.run(connection, countTemplate, layout, plan);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const rows = ceiling !== null && total <= ceiling ? readRows(counts[0]?.rows ?? null) : null;
  return { total, rows };
}

const readRows = (text: string | null): readonly number[] =>
  text === null ? [] : text.split(",").map(Number);
