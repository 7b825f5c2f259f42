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
  const ceiling = branches.length === 1 ? rowCeiling(only) : null;
  const list: RowList = (row) =>
    ceiling === null
      ? sql`null`
      : sql`case when count(*) <= ${sql.literal(ceiling)} then ${dialect.numberList(row)} end`;
  const inIndexes = await Promise.all(
    branches.map((branch) => countInIndexes(view, branch, { records, list })),
  );
  const selects: Sql[] = [];
  let mayBeBrief = inIndexes.every((select) => select === null);
  for (const [place, branch] of branches.entries()) {
    let select = inIndexes[place] ?? null;
    if (select === null) {
      const start = await pageStarts.chooseForCount(connection, branch, records);
      mayBeBrief &&= endsInTime(branch, start);
      select = sql`select count(*) as count, ${list(sql`t.row`)} as rows from ${sql.id(layout.table)} as t
        where ${branchWhere(branch, start)}`;
    }
    selects.push(select);
  }
  const statement = sql<readonly [count: number, rows: string | null]>`
    ${sql.join(selects, " union all ")}`;
  const counts = await rowsOf(view, statement, mayBeBrief);
  const total = counts.reduce((sum, [count]) => sum + count, 0);
  const listed = counts[0]?.[1] ?? null;
  const isListed = ceiling !== null && (listed !== null || total === 0);
  return { total, rows: isListed ? readRows(listed) : null };
}

/** The list of rows in a count, of the column with their numbers. */
type RowList = (row: Sql) => Sql;

/**
 * Counts the versions that satisfy all conditions of the branch, without reading rows. Null: indexes do not decide.
 * `list`: for several conditions, which few versions satisfy. With one, the list would cost more than the count.
 */
async function countInIndexes(
  { connection, pageStarts }: View,
  branch: Branch,
  { records, list }: { readonly records: number; readonly list: RowList },
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
  const from = sql`from (${versionsInIndex(chosen.first, branch, visible)}) as f`;
  if (also.length === 0) return sql`select count(*) as count, null as rows ${from}`;
  return sql`select count(*) as count, ${list(sql`f.row`)} as rows ${from}
    where ${joinConditions(also, "and")}`;
}

const readRows = (text: string | null): readonly number[] =>
  text === null ? [] : text.split(",").map(Number);
