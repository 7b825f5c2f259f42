import { sql, type Sql } from "../dialects/sql.ts";
import { branchesOf, visibleVersions, type Branch, type BranchQuery } from "./branches.ts";
import { isCovered, isVisibleInIndex } from "./covered.ts";
import { isFound, isSeen, versionsInIndex } from "./in-indexes.ts";
import { joinConditions } from "../statements/join-conditions.ts";
import { conditionOf } from "./page-plan.ts";
import type { IndexCount } from "./page-starts.ts";
import { endsInTime, rowsOf, type View } from "./view.ts";

/** Maximum number of matches for which the rows are listed. A search for words costs more to repeat. */
const rowCeilings = { words: 20_000, other: 5_000 };

const rowCeiling = ({ conditions }: Branch): number =>
  conditions.some(({ kind }) => kind === "words") ? rowCeilings.words : rowCeilings.other;

/** The number of matches. Also their rows, if there are few and the count has read them. */
export interface Matches {
  readonly total: number;
  readonly rows: readonly number[] | null;
}

/** Finds the matches in the state of the data after these writes. */
export async function findMatches(
  view: View,
  query: BranchQuery,
  snapshot: readonly number[],
  /** The number of all records, as far as known. */
  records = 0,
): Promise<Matches> {
  const { connection, sources, pageStarts } = view;
  const { layout, dialect } = query;
  const branches = branchesOf(query, sources, snapshot);
  const [only] = branches;
  if (only === undefined) return { total: 0, rows: [] };
  const large = await Promise.all(
    branches.map((branch) => pageStarts.chooseInIndexes(connection, branch, records)),
  );
  // Listing the rows costs more than a count that only reads an index.
  const isListed = branches.length === 1 && !isCovered(only) && large[0] === null;
  const ceiling = isListed ? rowCeiling(only) : null;
  const rows =
    ceiling === null
      ? sql`null`
      : sql`case when count(*) <= ${sql.literal(ceiling)} then ${dialect.numberList(sql`t.row`)} end`;
  const selects = [];
  let mayBeBrief = true;
  for (const [place, branch] of branches.entries()) {
    const inIndex = large[place] ?? null;
    if (inIndex !== null) {
      selects.push(countInIndexes(inIndex, branch));
      mayBeBrief = false;
      continue;
    }
    const start = await pageStarts.chooseForCount(connection, branch, records);
    const conditions = branch.conditions.map((condition, at) =>
      conditionOf(condition, at, start, branch),
    );
    mayBeBrief &&= !isCovered(branch) && endsInTime(branch, start);
    const where = isCovered(branch)
      ? isVisibleInIndex("t", branch)
      : joinConditions([visibleVersions(branch), ...conditions], "and");
    selects.push(sql`select count(*) as count, ${rows} as rows from ${sql.id(layout.table)} as t
      where ${where}`);
  }
  const statement = sql<readonly [count: number, rows: string | null]>`
    ${sql.join(selects, " union all ")}`;
  const counts = await rowsOf(view, statement, mayBeBrief);
  const total = counts.reduce((sum, [count]) => sum + count, 0);
  const listed = ceiling !== null && total <= ceiling ? readRows(counts[0]?.[1] ?? null) : null;
  return { total, rows: listed };
}

/** Counts the versions that satisfy all conditions of the branch, without reading their rows. */
function countInIndexes({ first, found, seen }: IndexCount, branch: Branch): Sql {
  const { whileInTime } = branch.dialect;
  const visible = (alias: "t" | "v") => {
    const isVisible = isVisibleInIndex(alias, branch);
    return whileInTime === null
      ? isVisible
      : sql`${isVisible} and ${whileInTime(sql.id(alias, "row"))}`;
  };
  const also = [
    ...found.map((each) => isFound(each, branch)),
    ...seen.map((each) => isSeen(each, branch)),
  ];
  return sql`select count(*) as count, null as rows
    from (${versionsInIndex(first, branch, visible)}) as f
    ${also.length === 0 ? sql`` : sql`where ${joinConditions(also, "and")}`}`;
}

const readRows = (text: string | null): readonly number[] =>
  text === null ? [] : text.split(",").map(Number);
