import { sql, type Sql } from "../dialects/sql.ts";
import { branchWhere } from "./branch-sql.ts";
import { branchesOf, type Branch, type BranchQuery } from "./branches.ts";
import { isCovered, isVisibleInIndex } from "./covered.ts";
import { isFound, isSeen, versionsInIndex } from "./in-indexes.ts";
import { joinConditions } from "../statements/join-conditions.ts";
import { endsInTime } from "./start-shapes.ts";
import { rowsOf, type View } from "./view.ts";

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
  const inIndexes = await Promise.all(
    branches.map((branch) => countInIndexes(view, branch, records)),
  );
  // Listing the rows costs more than a count that only reads an index.
  const ceiling = branches.length === 1 && inIndexes[0] === null ? rowCeiling(only) : null;
  const rows =
    ceiling === null
      ? sql`null`
      : sql`case when count(*) <= ${sql.literal(ceiling)} then ${dialect.numberList(sql`t.row`)} end`;
  const selects: Sql[] = [];
  let mayBeBrief = inIndexes.every((select) => select === null);
  for (const [place, branch] of branches.entries()) {
    let select = inIndexes[place] ?? null;
    if (select === null) {
      const start = await pageStarts.chooseForCount(connection, branch, records);
      mayBeBrief &&= endsInTime(branch, start);
      select = sql`select count(*) as count, ${rows} as rows from ${sql.id(layout.table)} as t
        where ${branchWhere(branch, start)}`;
    }
    selects.push(select);
  }
  const statement = sql<readonly [count: number, rows: string | null]>`
    ${sql.join(selects, " union all ")}`;
  const counts = await rowsOf(view, statement, mayBeBrief);
  const total = counts.reduce((sum, [count]) => sum + count, 0);
  const listed = ceiling !== null && total <= ceiling ? readRows(counts[0]?.[1] ?? null) : null;
  return { total, rows: listed };
}

/** Counts the versions that satisfy all conditions of the branch, without reading rows. Null: indexes do not decide. */
async function countInIndexes(
  { connection, pageStarts }: View,
  branch: Branch,
  records: number,
): Promise<Sql | null> {
  if (isCovered(branch)) {
    return sql`select count(*) as count, null as rows from ${sql.id(branch.layout.table)} as t
      where ${isVisibleInIndex("t", branch)}`;
  }
  const chosen = await pageStarts.chooseInIndexes(connection, branch, records);
  if (chosen === null) return null;
  const { whileInTime } = branch.dialect;
  const visible = (alias: "t" | "v") => {
    const isVisible = isVisibleInIndex(alias, branch);
    return whileInTime === null
      ? isVisible
      : sql`${isVisible} and ${whileInTime(sql.id(alias, "row"))}`;
  };
  const also = [
    ...chosen.found.map((each) => isFound(each, branch)),
    ...chosen.seen.map((each) => isSeen(each, branch)),
  ];
  return sql`select count(*) as count, null as rows
    from (${versionsInIndex(chosen.first, branch, visible)}) as f
    ${also.length === 0 ? sql`` : sql`where ${joinConditions(also, "and")}`}`;
}

const readRows = (text: string | null): readonly number[] =>
  text === null ? [] : text.split(",").map(Number);
