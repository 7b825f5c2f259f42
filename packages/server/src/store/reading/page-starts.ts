import { LRUCache } from "lru-cache";
import type { Branch } from "./branches.ts";
import { cacheKey } from "./cache-key.ts";
import { conditionsInIndexes, isInOneIndex, isSeenInIndex, onlyCondition } from "./in-indexes.ts";
import type { Reader } from "../dialects/dialect.ts";
import { sql, type Sql } from "../dialects/sql.ts";
import { selectVersions } from "../filters/filter-to-where.ts";
import type { RowScope } from "../statements/read-values.ts";
import type { FieldShape, Shape, StartShape } from "../statements/shapes.ts";
import { isInColumns, startShapeOf, type Start } from "./start-shapes.ts";
import { versionsWith } from "../words/words.ts";

/** Matches are counted up to this number. If there are more, a page starts from its order. */
const ceiling = 5_000;
/** From this number of records on, matches are counted further, because reading all records takes long. */
const manyRecords = 100_000;
/** Part of the records up to which fetching the matches is cheaper than reading all. */
const wideShare = 1 / 16;
/** Part of the records up to which a look at the index of a condition saves more than it costs. */
const rareShare = 1 / 4;
/** Up to this number, reading the rows of the matches costs little. */
const fewMatches = 500;
/** From this number of records on, a page costs so much that its matches are counted as far as they can matter. */
const largePage = 2_500;
/** Maximum number of candidates that are counted: the first ones of the filter. */
const mostCounted = 8;
const countsKept = 2_000;
const countMilliseconds = 60_000;
/** Cost of fetching and sorting one match, in steps along an index. */
const matchCost = 2;
/** Up to this number, matches are always fetched, because they may all be at the end of the page's order. */
const alwaysFetched = 1_000;

/** The number of records that a page needs, and the number of all records. */
interface PageSize {
  readonly needed: number;
  readonly rows: number;
}

/**
 * Number of steps along the index of the order until the page is full, if the matches are evenly distributed.
 */
const stepsAlongOrder = (matches: number, { needed, rows }: PageSize): number =>
  Math.min((needed * rows) / Math.max(matches, 1), rows);

/** Whether fetching the known matches is cheaper than following the page's order. */
export const isCheaperToFetch = (matches: number, size: PageSize): boolean =>
  matches <= alwaysFetched || matches * matchCost < stepsAlongOrder(matches, size);

/**
 * The number of matches from which following the order is cheaper. Rounded up to a power of two, so that statements of
 * later pages are the same.
 */
function ceilingFor({ needed, rows }: PageSize): number {
  if (needed < largePage && rows < manyRecords) return ceiling;
  const most = Math.sqrt((Math.min(needed, rows) * rows) / matchCost);
  return Math.max(ceiling, 2 ** Math.ceil(Math.log2(most)));
}

/** What decides where a page starts, besides its size. */
export interface PageTraits {
  /** Whether it has no sort. */
  readonly isInRowOrder: boolean;
  /** The number of matches. Null: unknown, or there are several branches. */
  readonly total: number | null;
  /** The first sort key, if the page has the records without it. Null otherwise. */
  readonly missing: Sql | null;
}

interface Counted {
  readonly condition: Shape;
  readonly from: StartShape;
  /** At most the number up to which they are counted. */
  readonly matches: number;
}

const inOrderOfPage: Start = { kind: "order" };

/** The conditions of a branch, which indexes decide. */
export interface IndexCount {
  /** The rarest one: its versions are read. */
  readonly first: FieldShape;
  /** Rare ones, whose versions are read as well. */
  readonly found: readonly FieldShape[];
  /** Common ones, in whose index each version is looked up. */
  readonly seen: readonly FieldShape[];
}

/** The number up to which matches are counted for a total of this number of records. */
const wideCeiling = (rows: number): number =>
  rows < manyRecords ? ceiling : Math.max(ceiling, 2 ** Math.ceil(Math.log2(rows * wideShare)));

/** Records for each one on the page that cost little to read. */
const cheapShare = 10;

/** Whether reading all records costs little, so that nothing needs to be counted first. */
export const isCheapToRead = ({ needed, rows }: PageSize): boolean =>
  rows <= Math.min(needed * cheapShare, alwaysFetched);

/**
 * Chooses the condition that a page starts from. Neither engine knows how common a single value is; SQLite
 * has averages at best. After a wrong guess, the engine reads a whole table to fill a page of ten. Therefore
 * the matches of each indexed condition are counted up to a ceiling, and the counts are cached for a minute.
 */
export class PageStarts {
  readonly #counts = new LRUCache<string, { matches: number; until: number }>({ max: countsKept });

  /** Chooses the start of a page whose order has an index. */
  async choose(
    connection: Reader,
    branch: Branch,
    size: PageSize,
    { isInRowOrder, total, missing }: PageTraits,
  ): Promise<Start> {
    if (isCheapToRead(size)) return inOrderOfPage;
    // Hardly any record lacks the key of most orders.
    if (missing !== null && (await this.#countMissing(connection, branch, missing)) < fewMatches)
      return inOrderOfPage;
    // SQLite joins in no such way.
    if (isInRowOrder && size.rows >= manyRecords && branch.dialect.engine === "postgres") {
      const wide = wideCeiling(size.rows);
      const first = await this.#firstInOrder(connection, branch, total, wide);
      // Along the order, all records may come before the first match, such as the newest ones.
      if (first !== null && first.matches >= fewMatches && first.matches < wide) {
        return { kind: "in-order", condition: first.condition as FieldShape };
      }
    }
    const most = ceilingFor(size);
    const counted = await this.#countEach(connection, branch, () => true, { most });
    const best = rarestOf(counted);
    if (best === null || best.matches >= most) return inOrderOfPage;
    return best.matches * matchCost < stepsAlongOrder(best.matches, size)
      ? startFrom(best, counted, branch, { most, rows: size.rows })
      : inOrderOfPage;
  }

  /** The condition with an index of its own that the fewest records satisfy. */
  async #firstInOrder(connection: Reader, branch: Branch, total: number | null, most: number) {
    const only = onlyCondition(branch);
    if (only !== null && total !== null && isInOneIndex(only, branch)) {
      return { condition: only, matches: total };
    }
    const isCandidate = (start: StartShape) => isInOneIndex(start, branch);
    return rarestOf(await this.#countEach(connection, branch, isCandidate, { most }));
  }

  /**
   * For a count in a large tenant, the conditions of the branch if indexes decide all of them, and so many records satisfy
   * the first one that reading their rows would take long. Null otherwise.
   */
  async chooseInIndexes(
    connection: Reader,
    branch: Branch,
    rows: number,
  ): Promise<IndexCount | null> {
    const conditions = rows < manyRecords ? null : conditionsInIndexes(branch);
    if (conditions === null || conditions.length > mostCounted) return null;
    const most = conditions.length === 1 ? fewMatches + 1 : wideCeiling(rows);
    const counted: { condition: FieldShape; matches: number }[] = [];
    for (const condition of conditions) {
      counted.push({ condition, matches: await this.#count(connection, branch, condition, most) });
    }
    const [first, ...others] = counted.toSorted((one, other) => one.matches - other.matches);
    if (first === undefined || first.matches < fewMatches) return null;
    if (others.length > 0 && first.matches >= most) return null;
    const found: FieldShape[] = [];
    const seen: FieldShape[] = [];
    for (const { condition, matches } of others) {
      if (matches < most) found.push(condition);
      else if (isSeenInIndex(condition, branch)) seen.push(condition);
      else return null;
    }
    return { first: first.condition, found, seen };
  }

  /**
   * For a count, the condition on elements or words if fewer records satisfy it than any other condition. The engine
   * chooses if all conditions are common, or if one on a column is rarer. Both engines choose well among
   * conditions on columns, but SQLite looks up each record in the others. A column that is rarer than all of them
   * settles it.
   */
  async chooseForCount(connection: Reader, branch: Branch, rows: number): Promise<Start> {
    const most = wideCeiling(rows);
    const countEach = (inColumns: boolean, enough = 1) => {
      const isCandidate = (start: StartShape) => isInColumns(start) === inColumns;
      return this.#countEach(connection, branch, isCandidate, { enough, most });
    };
    const others = await countEach(false);
    const best = rarestOf(others);
    if (best === null || best.matches >= most) return { kind: "any" };
    const columns = await countEach(true, best.matches);
    return (rarestOf(columns)?.matches ?? most) < best.matches
      ? { kind: "any" }
      : startFrom(best, [...others, ...columns], branch, { most, rows });
  }

  /** The candidates with their matches; the first one with fewer than `enough` ends the search. */
  async #countEach(
    connection: Reader,
    branch: Branch,
    isCandidate: (start: StartShape) => boolean,
    { enough = 1, most }: { readonly enough?: number; readonly most: number },
  ): Promise<readonly Counted[]> {
    const counted: Counted[] = [];
    for (const condition of branch.conditions) {
      const from = startShapeOf(condition, branch);
      if (from === null || !isCandidate(from)) continue;
      if (counted.length === mostCounted) break;
      const matches = await this.#count(connection, branch, from, most);
      counted.push({ condition, from, matches });
      if (matches < enough) break;
    }
    return counted;
  }

  #count(connection: Reader, branch: Branch, condition: StartShape, most: number): Promise<number> {
    const rows = matchesOf(condition, branch, most);
    return this.#countRows(connection, branch, rows, { condition, most });
  }

  #countMissing(connection: Reader, branch: Branch, key: Sql): Promise<number> {
    // The index of a value after expiry has only the records that expire.
    const expires = branch.expired === true ? sql`and t.turns_at is not null` : sql``;
    const rows = sql`select t.row from ${sql.id(branch.layout.table)} as t
      where t.cid = ${branch.cid} and ${key} is null ${expires}`;
    return this.#countRows(connection, branch, rows, { condition: key.text, most: fewMatches });
  }

  async #countRows(
    connection: Reader,
    { layout, cid, expired, fence }: Branch,
    rows: Sql,
    { condition, most }: { readonly condition: unknown; readonly most: number },
  ): Promise<number> {
    // With row-level security, the count depends on the tenants that the reader sees.
    const key = cacheKey([layout.number, cid, expired, fence, most, condition]);
    const cachedCount = this.#counts.get(key);
    if (cachedCount !== undefined && cachedCount.until > performance.now())
      return cachedCount.matches;
    const [row] = await connection.all(
      sql<{ matches: number }>`
        select count(*) as matches from (${rows} limit ${sql.literal(most)}) as m`,
    );
    const matches = row?.matches ?? 0;
    this.#counts.set(key, { matches, until: performance.now() + countMilliseconds });
    return matches;
  }
}

/** The one with the fewest matches, the first of several. */
const rarestOf = (counted: readonly Counted[]): Counted | null =>
  counted.reduce<Counted | null>(
    (best, each) => (best === null || each.matches < best.matches ? each : best),
    null,
  );

function startFrom(
  best: Counted,
  counted: readonly Counted[],
  branch: Branch,
  { most, rows }: { readonly most: number; readonly rows: number },
): Start {
  const { condition, from } = best;
  const isRare = ({ matches }: Counted) => matches < most && matches <= rows * rareShare;
  const rare = counted
    .filter((each) => each !== best && isRare(each))
    .toSorted((one, other) => one.matches - other.matches)
    .flatMap((each) => (isSeenInIndex(each.condition, branch) ? each.condition : []));
  return { kind: "condition", condition, from, rare };
}

/** For a condition on words, the candidates of the index: they are sufficient for a choice and need no texts. */
function matchesOf(start: StartShape, scope: RowScope, most: number): Sql {
  if (start.kind === "words") {
    return versionsWith({ ...start, part: null, phrases: [] }, scope);
  }
  // The function of an index of trigrams stops at this number by itself.
  return selectVersions(start, scope, most);
}
