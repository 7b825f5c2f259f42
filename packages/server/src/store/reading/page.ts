import type { Predicate } from "@security-platform/fql";
import { branchesOf, type Branch, type BranchQuery } from "./branches.ts";
import type { Layout } from "../rows/columns.ts";
import { findMatches } from "./count.ts";
import { StalePositionError } from "../types/errors.ts";
import { areEasy, areFew } from "./page-starts.ts";
import {
  pageQuery,
  rowDirection,
  type PageBranch,
  type PagePlan,
  type PageRow,
} from "./page-plan.ts";
import type { PageQuery, Position } from "../types/types.ts";
import { patientView, queryOf, statesOf, type SourceState, type View } from "./view.ts";

/** A query for one page of texts, identifiers or complete records. */
export interface PageQuestion extends Omit<PageQuery, "shape"> {
  readonly shape: PagePlan["shape"];
}

export interface FoundPage {
  readonly rows: readonly PageRow[];
  readonly next: Position | null;
  /** The state of each source. */
  readonly states: readonly SourceState[];
}

interface Part {
  /** Records with a value of the first sort key come before records without one. */
  readonly segment: PagePlan["segment"];
  readonly needed: number;
  readonly skip: number;
  readonly sizes: readonly number[];
  /** All matching rows, if known. */
  readonly rows: readonly number[] | null;
}

/** Results of a count that a page can use. */
export interface Known {
  readonly states: readonly SourceState[];
  readonly rows: readonly number[] | null;
}

/**
 * One page of a scan, or the records from an offset on. All pages of a scan read the state of the data at its
 * start. Throws `StalePositionError` if that state has been deleted.
 */
export async function findPage(
  quick: View,
  query: PageQuestion,
  known?: Known,
): Promise<FoundPage> {
  const { after, limit, offset = 0 } = query;
  const before = after === undefined ? (known?.states ?? (await statesOf(quick))) : null;
  const view = isQuick(query) ? quick : patientView(quick, before ?? [{ rows: unknownSize }]);
  const snapshot = after?.snapshot ?? before?.map(({ number }) => number) ?? [];
  const sizes = before?.map(({ rows }) => rows) ?? [];
  const collected: PageRow[] = [];
  const branchQuery = branchQueryOf(view, query);
  const branches = branchesOf(branchQuery, view.sources, snapshot);
  let skip = offset;
  for (const segment of segmentsOf(query)) {
    const needed = limit + 1 - collected.length;
    const part: Part = { segment, needed, skip, sizes, rows: known?.rows ?? null };
    const rows = await findPart(view, query, part, { ...branchQuery, branches });
    collected.push(...rows);
    if (rows.length === needed) break;
    if (skip > 0) skip = rows.length > 0 ? 0 : skip - (await countPresent(view, query, snapshot));
  }
  // This read comes last, because the sweep may delete versions during the scan.
  const states = before ?? (await statesOf(view));
  if (after !== undefined) refuseStale(after, states);
  const rows = collected.slice(0, limit);
  const end = rows.at(-1);
  const more = collected.length > rows.length && end !== undefined;
  return { rows, states, next: more ? positionOf(end, snapshot) : null };
}

/** Whether the first records of an index are the page. */
const isQuick = ({ predicate, sort, offset = 0 }: PageQuestion): boolean =>
  predicate.kind === "everything" && sort.length === 0 && offset === 0;

/**
 * Whether the page may be the whole list, so that it shows the total, and costs little to read even if the
 * total must be counted afterwards.
 */
export const mayBeWhole = (
  { limit, offset }: PageQuestion,
  states: readonly SourceState[],
): boolean =>
  offset === 0 &&
  limit > 0 &&
  areEasy({ needed: limit, rows: states.reduce((sum, { rows }) => sum + rows, 0) });

function segmentsOf({ predicate, sort, after }: PageQuestion): readonly PagePlan["segment"][] {
  const [first] = sort;
  if (first === undefined) return ["any"];
  if (requires(predicate, first.field)) return ["present"];
  return after !== undefined && after.keys[0] === null ? ["missing"] : ["present", "missing"];
}

/** Whether no record without the field matches. */
function requires(predicate: Predicate, field: string): boolean {
  switch (predicate.kind) {
    case "and":
      return predicate.operands.some((operand) => requires(operand, field));
    case "or":
      return predicate.operands.every((operand) => requires(operand, field));
    case "everything":
    case "not":
      return false;
    case "nothing":
      return true;
    default:
      return predicate.field === field;
  }
}

async function findPart(
  view: View,
  query: PageQuestion,
  part: Part,
  { branches, ...branchQuery }: BranchQuery & { readonly branches: readonly Branch[] },
): Promise<readonly PageRow[]> {
  const { connection, pageStarts } = view;
  if (branches.length === 0) return [];
  const { shape, sort, limit, offset = 0 } = query;
  const sorted = isOrdered(query, branchQuery);
  const pageBranches: PageBranch[] = [];
  for (const branch of branches) {
    const size = {
      needed: part.needed + part.skip,
      rows: part.sizes[branch.place] ?? unknownSize,
    };
    const way = wayOfRows(part, sorted, branch, { ...size, needed: limit + offset });
    const rows = way === null ? null : part.rows;
    const chosen =
      sorted && rows === null
        ? await pageStarts.choose(connection, branchQuery, branch, size)
        : null;
    pageBranches.push({ ...branch, start: way ?? chosen, rows });
  }
  const plan: PagePlan = {
    ...branchQuery,
    shape,
    sort,
    segment: part.segment,
    after: startsAfter(query, part.segment),
    places: placeDirection(view, query),
    branches: pageBranches,
    limit: part.needed,
    offset: part.skip,
    late: part.skip > 0 || pageBranches.some(({ start }) => start !== "order"),
  };
  return connection.tuples(pageQuery(plan));
}

/**
 * How the page uses the known rows: it starts from them (`rows`) or looks for them along its order (`order`).
 * Null: the page does not use them. A condition on words is not checked again, because the engine would
 * compare all texts for a single page. `size` belongs to the complete page, so that both segments make the
 * same choice.
 */
function wayOfRows(
  { rows }: Part,
  sorted: boolean,
  { conditions }: Branch,
  size: Parameters<typeof areFew>[1],
): "rows" | "order" | null {
  if (rows === null) return null;
  if (!sorted || areFew(rows.length, size)) return "rows";
  return conditions.some(({ kind }) => kind === "words") ? "order" : null;
}

/** The assumed number of records for later pages of a scan, which do not read the number again. */
const unknownSize = 1_000_000;

/** Expired records are read separately if their position in the sorting index is different. */
function branchQueryOf(view: View, { predicate, sort, now }: PageQuestion): BranchQuery {
  const first = sort[0]?.field;
  const { layout } = view;
  const split = first !== undefined && layout.indexed.has(first) && expires(layout, first);
  return { ...queryOf(view, predicate, now), split };
}

const expires = (layout: Layout, field: string): boolean =>
  layout.fields.get(field)?.expires ?? false;

/** Whether an index has the page's order, at least that of the first key. */
function isOrdered({ sort }: PageQuestion, { layout, split }: BranchQuery): boolean {
  const first = sort[0]?.field;
  return first === undefined || (layout.indexed.has(first) && (split || !expires(layout, first)));
}

/** The position where this segment continues. Null: its beginning. */
function startsAfter({ after }: PageQuestion, segment: Part["segment"]): Position | null {
  if (after === undefined) return null;
  return segment === "missing" && after.keys[0] !== null ? null : after;
}

/**
 * Platform records count as older than the tenant's own, so both follow the order of the rows. Otherwise the
 * nearest tenant comes first in both directions.
 */
const placeDirection = ({ sources }: View, { sort }: PageQuestion): PagePlan["places"] =>
  sources[0]?.replacedBy === 1 ? rowDirection(sort) : "asc";

async function countPresent(
  view: View,
  { predicate, sort, now }: PageQuestion,
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

function positionOf([_item, row, place, ...keys]: PageRow, snapshot: readonly number[]): Position {
  return { snapshot, keys, place, row };
}
