import type { Predicate } from "@security-platform/fql";
import { branchValue } from "./branch-sql.ts";
import { branchesOf, type Branch } from "./branches.ts";
import { findMatches } from "./count.ts";
import { StalePositionError } from "../types/errors.ts";
import { isCheapToRead, isCheaperToFetch, type PageTraits } from "./page-starts.ts";
import {
  keyAfter,
  pageQuery,
  rowDirection,
  type PageBranch,
  type PageKey,
  type PagePlan,
  type ResolvedPageQuery,
  type PageRow,
} from "./page-plan.ts";
import { sortsFolded } from "../rows/columns.ts";
import { endsInTime } from "./start-shapes.ts";
import type { PageQuery, Position } from "../types/types.ts";
import {
  viewForLongStatements,
  queryOf,
  recordsIn,
  rowsOf,
  statesOf,
  type SourceState,
  type View,
} from "./view.ts";

export interface FoundPage {
  readonly rows: readonly PageRow[];
  readonly next: Position | null;
  /** The state of each source. */
  readonly states: readonly SourceState[];
}

/** Results of a count that a page can use. */
export interface CountedMatches {
  readonly states: readonly SourceState[];
  readonly rows: readonly number[] | null;
  readonly total?: number;
}

/**
 * One page of a scan, or the records from an offset on. All pages of a scan read the state of the data at its
 * start. Throws `StalePositionError` if that state has been deleted.
 */
export async function findPage(
  direct: View,
  query: ResolvedPageQuery,
  known?: CountedMatches,
): Promise<FoundPage> {
  const { predicate, sort, after, limit, offset = 0, now } = query;
  const before = after === undefined ? (known?.states ?? (await statesOf(direct))) : null;
  // The first records of an index are the page.
  const isQuick = predicate.kind === "everything" && sort.length === 0 && offset === 0;
  const view = isQuick ? direct : viewForLongStatements(direct, before ?? [{ rows: Infinity }]);
  const snapshot = after?.snapshot ?? before?.map(({ number }) => number) ?? [];
  const key = sort[0]?.field;
  const hasIndex = key === undefined || view.layout.indexed.has(key);
  // Expired records are read separately if their position in the index is different.
  const split = key !== undefined && hasIndex && view.layout.fields.get(key)?.expires === true;
  const branches = branchesOf(queryOf(view, predicate, now, split), view.sources, snapshot);
  // Platform records count as older than the tenant's own, so both follow the order of the rows. Otherwise the
  // nearest tenant comes first in both directions.
  const places = view.sources[0]?.replacedBy === 1 ? rowDirection(sort) : "asc";
  const total = branches.length === 1 ? (known?.total ?? null) : null;
  const traits = { key: key ?? null, total };
  const collected: PageRow[] = [];
  let skip = offset;
  for (const segment of branches.length === 0 ? [] : segmentsOf(query)) {
    const needed = limit + 1 - collected.length;
    const started: PageBranch[] = [];
    for (const branch of branches) {
      const isMissing = segment === "missing" && key !== undefined && !branch.fields.has(key);
      const missing = isMissing ? branchValue(key, branch) : null;
      const size = {
        needed: needed + skip,
        rows: view.pageStarts.sizeOf(branch, before?.[branch.place]?.rows),
      };
      const rows = known?.rows ?? null;
      const start = { hasIndex, rows, page: limit + offset, traits: { ...traits, missing } };
      started.push({ ...branch, ...(await startOf(view, branch, size, start)) });
    }
    const plan = { query, segment, places, branches: started, limit: needed, offset: skip };
    const mayBeBrief =
      needed <= briefPage && started.every((branch) => endsInTime(branch, branch.start));
    const rows = await rowsOfSegment(view, plan, mayBeBrief);
    collected.push(...rows);
    if (rows.length === needed) break;
    if (rows.length > 0) skip = 0;
    else if (skip > 0) skip -= await countRecordsWithKey(view, query, snapshot);
  }
  // This read comes last, because the sweep may delete versions during the scan.
  const states = before ?? (await statesOf(view));
  if (after !== undefined) refuseStale(after, states);
  const rows = collected.slice(0, limit);
  const end = rows.at(-1);
  if (end === undefined || collected.length === rows.length) return { rows, states, next: null };
  const [_item, row, place, ...keys] = end;
  return { rows, states, next: { snapshot, keys, place, row } };
}

/** Begins again from another start if a limited walk along the order does not fill the page. */
async function rowsOfSegment(
  view: View,
  plan: PagePlan,
  mayBeBrief: boolean,
): Promise<readonly PageRow[]> {
  const [branch, ...others] = plan.branches;
  const { start } = branch ?? {};
  const otherwise =
    start?.kind === "order" && plan.segment === "present" ? start.otherwise : undefined;
  if (branch === undefined || others.length > 0 || otherwise === undefined) {
    return rowsOf(view, pageQuery(plan), mayBeBrief);
  }
  const { pageStarts, connection } = view;
  const { steps } = otherwise;
  const until = await pageStarts.endOfWalk(connection, branch, keyAfter(plan, steps), steps);
  if (until === null) return rowsOf(view, pageQuery(plan), mayBeBrief);
  const rows = await rowsOf(view, pageQuery({ ...plan, until }), mayBeBrief);
  if (rows.length === plan.limit) return rows;
  return connection.tuples(
    pageQuery({ ...plan, branches: [{ ...branch, start: otherwise.start }] }),
  );
}

/**
 * The keys of a page: texts of fields whose filters ignore case are ordered without regard to case first, then by code
 * point. A scan that an earlier version began goes on in that version's order, which has fewer keys.
 */
export function pageKeys(
  { fields, readerFields, resource }: View["layout"],
  { sort, after }: Pick<PageQuery, "sort" | "after">,
): readonly PageKey[] {
  const keys = sort.flatMap((key): readonly PageKey[] => {
    const columns = readerFields.get(key.field) ?? fields.get(key.field);
    return columns !== undefined && sortsFolded(resource, columns)
      ? [
          { ...key, form: "folded" },
          { ...key, form: "exact" },
        ]
      : [key];
  });
  return after !== undefined && after.keys.length < keys.length ? sort : keys;
}

/**
 * Whether the page may be the whole list, so that it shows the total, and costs little to read even if the
 * total must be counted afterwards.
 */
export const mayBeCompleteList = (
  { limit, offset }: ResolvedPageQuery,
  states: readonly SourceState[],
): boolean =>
  offset === 0 && limit > 0 && isCheapToRead({ needed: limit, rows: recordsIn(states) });

function segmentsOf({ predicate, sort, after }: ResolvedPageQuery): readonly PagePlan["segment"][] {
  const [first] = sort;
  if (first === undefined) return ["any"];
  if (excludesMissing(predicate, first.field)) return ["present"];
  return after !== undefined && after.keys[0] === null ? ["missing"] : ["present", "missing"];
}

/** Whether no record without the field matches. */
function excludesMissing(predicate: Predicate, field: string): boolean {
  switch (predicate.kind) {
    case "and":
      return predicate.operands.some((operand) => excludesMissing(operand, field));
    case "or":
      return predicate.operands.every((operand) => excludesMissing(operand, field));
    case "everything":
    case "not":
      return false;
    case "nothing":
      return true;
    default:
      return predicate.field === field;
  }
}

/**
 * Where a branch starts, and whether it uses the known rows of a count. A condition on words is not checked again,
 * because the engine would compare all texts for a single page. `page` is the size of the complete page, so that both
 * segments make the same choice.
 */
async function startOf(
  { connection, pageStarts }: View,
  branch: Branch,
  size: Parameters<typeof isCheaperToFetch>[1],
  { hasIndex, rows, page, traits }: StartOptions,
): Promise<Pick<PageBranch, "start" | "rows">> {
  if (rows !== null) {
    if (!hasIndex || isCheaperToFetch(rows.length, { ...size, needed: page }))
      return { start: { kind: "rows" }, rows };
    if (branch.conditions.some(({ kind }) => kind === "words"))
      return { start: { kind: "order" }, rows };
  }
  if (!hasIndex) return { start: { kind: "any" }, rows: null };
  return { start: await pageStarts.choose(connection, branch, size, traits), rows: null };
}

interface StartOptions {
  readonly hasIndex: boolean;
  readonly rows: CountedMatches["rows"];
  readonly page: number;
  readonly traits: PageTraits;
}

/** Maximum number of records whose texts one statement reads. */
const briefPage = 500;

async function countRecordsWithKey(
  view: View,
  { predicate, sort, now }: ResolvedPageQuery,
  snapshot: readonly number[],
): Promise<number> {
  const present = sort.slice(0, 1).map(({ field }) => ({ kind: "present" as const, field }));
  const narrowed = { kind: "and" as const, operands: [predicate, ...present] };
  return (await findMatches(view, queryOf(view, narrowed, now), snapshot)).total;
}

function refuseStale(after: Position, states: readonly SourceState[]): void {
  if (states.some(({ swept }, at) => (after.snapshot[at] ?? 0) < swept)) {
    throw new StalePositionError("the scan began too long ago; start again");
  }
}
