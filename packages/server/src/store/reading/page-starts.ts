import { LRUCache } from "lru-cache";
import type { Branch } from "./branches.ts";
import type { keyAfter, KeyValue } from "./page-plan.ts";
import { cacheKey } from "./cache-key.ts";
import {
  conditionsInIndexes,
  isInOneIndex,
  isSeenInIndex,
  onlyCondition,
  versionsInIndex,
} from "./in-indexes.ts";
import type { Reader } from "../dialects/dialect.ts";
import { sql, type Sql } from "../dialects/sql.ts";
import { selectVersions } from "../filters/filter-to-where.ts";
import { isFieldShape, type FieldShape, type StartShape } from "../statements/shapes.ts";
import { isInColumns, startShapeOf, type ConditionStart, type Start } from "./start-shapes.ts";
import { versionsWith } from "../words/words.ts";

/** Matches are counted up to this number. If there are more, a page starts from its order. */
const ceiling = 5_000;
/** From this number of records on, matches are counted further, because reading all records takes long. */
const manyRecords = 100_000;
/** Part of the records up to which fetching the matches is cheaper than reading all. */
const wideShare = 1 / 16;
/** Up to this number, reading the rows of the matches costs little. */
const fewMatches = 500;
/** A walk along the order that takes fewer times as many steps as another start has no limit. */
const fewTimes = 4;
/** From this number of records on, a page costs so much that its matches are counted as far as they can matter. */
const largePage = 2_500;
/** Maximum number of candidates that are counted: the first ones of the filter. */
const mostCounted = 8;
const countsKept = 2_000;
/** The assumed number of records for a later page of a scan, if no page has read the number. */
const unknownSize = 1_000_000;
const countMilliseconds = 60_000;
/** Number of new records after which a count is out of date, or half of what it counted, if that is more. */
const newRecords = 500;
/** Cost of fetching and sorting one match, in steps along an index. */
const matchCost = 2;
/** Cost of a step along an index whose rows are not read. */
const indexCost = 0.25;
/** Cost of looking a version up in an index. */
const lookCost = 1.25;
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
  return Math.max(ceiling, roundUp(most));
}

/** The next power of two, so that statements differ little. */
const roundUp = (count: number): number => 2 ** Math.ceil(Math.log2(count));

/** What decides where a page starts, besides its size. */
export interface PageTraits {
  /** The first sort key. Null: the page has no sort. */
  readonly key: string | null;
  /** The number of matches. Null: unknown, or there are several branches. */
  readonly total: number | null;
  /** The first sort key, if the page has the records without it. Null otherwise. */
  readonly missing: Sql | null;
}

/** A start from several conditions. */
interface Together {
  readonly start: Exclude<Start, { kind: "order" }>;
  /** The number of records that satisfy them, if the conditions do not depend on each other. */
  readonly expected: number;
  /** The cost, in steps along an index whose rows are read. */
  readonly steps: number;
}

type Candidate = ConditionStart & { readonly matches: number };

/** What was found when there were so many records in all. */
interface Kept<Found> {
  readonly found: Found;
  readonly rows: number;
  readonly until: number;
}

const inOrderOfPage = { kind: "order" } as const;

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
  rows < manyRecords ? ceiling : Math.max(ceiling, roundUp(rows * wideShare));

/** The number of versions of a condition that PostgreSQL keeps in memory to check others with. They need about 15 MB. */
const mostKept = 2 ** 18;

/** Records for each one on the page that cost little to read. */
const cheapShare = 10;

/** Whether reading all records costs little, so that nothing needs to be counted first. */
export const isCheapToRead = ({ needed, rows }: PageSize): boolean =>
  rows <= Math.min(needed * cheapShare, alwaysFetched);

/**
 * Chooses the condition that a page starts from. Neither engine knows how common a single value is; SQLite
 * has averages at best. After a wrong guess, the engine reads a whole table to fill a page of ten. Therefore
 * the matches of each indexed condition are counted up to a ceiling, and the counts are cached for a minute, or until so
 * many records are new that all of them together would matter.
 */
export class PageStarts {
  readonly #counts = new LRUCache<string, Kept<number>>({ max: countsKept });
  readonly #ends = new LRUCache<string, Kept<KeyValue | null>>({ max: countsKept });
  readonly #sizes = new LRUCache<string, number>({ max: countsKept });

  /** The number of records of a source, as a page has read it. Later pages of a scan do not read it again. */
  sizeOf({ layout, cid }: Branch, read: number | undefined): number {
    const key = cacheKey([layout.number, cid]);
    if (read === undefined) return this.#sizes.get(key) ?? unknownSize;
    this.#sizes.set(key, read);
    return read;
  }

  /** Chooses the start of a page whose order has an index. */
  async choose(
    connection: Reader,
    branch: Branch,
    size: PageSize,
    { key, total, missing }: PageTraits,
  ): Promise<Start> {
    if (isCheapToRead(size)) return inOrderOfPage;
    // Hardly any record lacks the key of most orders.
    if (missing !== null && (await this.#countMissing(connection, branch, missing)) < fewMatches)
      return inOrderOfPage;
    // SQLite joins in no such way.
    if (key === null && size.rows >= manyRecords && branch.dialect.engine === "postgres") {
      const wide = wideCeiling(size.rows);
      const first = await this.#firstInOrder(connection, branch, total, wide);
      // Along the order, all records may come before the first match, such as the newest ones.
      if (first !== null && first.matches >= fewMatches && first.matches < wide) {
        return { kind: "in-order", condition: first.condition as FieldShape };
      }
    }
    const most = ceilingFor(size);
    const best = await this.#rarest(connection, branch, () => true, { most });
    if (best === null || best.matches < fewMatches) return best ?? inOrderOfPage;
    const together = await this.#together(connection, branch, size.rows);
    const steps = stepsAlongOrder(total ?? together?.expected ?? best.matches, size);
    const alone = best.matches < most ? best.matches * matchCost : Infinity;
    if (together !== null && together.steps < Math.min(steps, alone)) return together.start;
    if (alone < steps) return best;
    const other = together ?? (await this.#apartFrom(key, connection, branch, size.rows));
    if (other === null || other.steps * fewTimes > size.rows) return inOrderOfPage;
    // Both together then take at most twice as long as the better one.
    return { ...inOrderOfPage, otherwise: { start: other.start, steps: roundUp(other.steps) } };
  }

  /** For a large tenant, the rarest condition that is not on the sort key, and its cost. Null: all are common. */
  async #apartFrom(key: string | null, connection: Reader, branch: Branch, rows: number) {
    if (key === null || rows < manyRecords) return null;
    const most = wideCeiling(rows);
    const isApart = (start: StartShape) => !isFieldShape(start) || start.columns.name !== key;
    const best = await this.#rarest(connection, branch, isApart, { most });
    if (best === null || best.matches >= most) return null;
    return { start: best, steps: best.matches * matchCost };
  }

  /**
   * The rarest condition with others that exclude so many of its versions that it is worth reading their indexes first.
   * Null: there is no such condition.
   */
  async #together(connection: Reader, branch: Branch, rows: number): Promise<Together | null> {
    const looksUp = branch.dialect.engine === "sqlite";
    const conditions = branch.conditions.filter((each) => isInOneIndex(each, branch));
    if (conditions.length < 2 || (rows < manyRecords && !looksUp)) return null;
    const most = wideCeiling(rows);
    const counted = await this.#countEach(connection, branch, conditions, most);
    const [first, ...others] = counted.filter(({ matches }) => matches < most);
    if (first === undefined) return null;
    const also: FieldShape[] = [];
    let expected = first.matches;
    let steps = 0;
    for (const { condition, matches } of others) {
      const left = (expected * matches) / rows;
      if (!looksUp && matches > mostKept) break;
      const cost = looksUp ? expected * lookCost : matches * indexCost;
      if (cost >= (expected - left) * matchCost) break;
      if (looksUp && !isSeenInIndex(condition, branch)) continue;
      also.push(condition);
      expected = left;
      steps += cost;
    }
    if (also.length === 0) return null;
    const { condition } = first;
    const start = { kind: "condition", condition, from: condition, also } as const;
    return { start, expected, steps: steps + expected * matchCost };
  }

  /** Conditions with their numbers of matches, the rarest first. */
  async #countEach(
    connection: Reader,
    branch: Branch,
    conditions: readonly FieldShape[],
    most: number,
  ): Promise<readonly { readonly condition: FieldShape; readonly matches: number }[]> {
    const counted: { condition: FieldShape; matches: number }[] = [];
    for (const condition of conditions.slice(0, mostCounted)) {
      counted.push({ condition, matches: await this.#count(connection, branch, condition, most) });
    }
    return counted.toSorted((one, other) => one.matches - other.matches);
  }

  /** The condition with an index of its own that the fewest records satisfy. */
  #firstInOrder(connection: Reader, branch: Branch, total: number | null, most: number) {
    const only = onlyCondition(branch);
    return only !== null && total !== null && isInOneIndex(only, branch)
      ? { condition: only, matches: total }
      : this.#rarest(connection, branch, (start) => isInOneIndex(start, branch), { most });
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
    const [first, ...others] = await this.#countEach(connection, branch, conditions, most);
    if (first === undefined || first.matches < fewMatches) return null;
    if (others.length > 0 && first.matches >= most) return null;
    const found: FieldShape[] = [];
    const seen: FieldShape[] = [];
    for (const { condition, matches } of others) {
      if (matches < Math.min(most, mostKept)) found.push(condition);
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
    const rarest = (inColumns: boolean, enough = 1) => {
      const isCandidate = (start: StartShape) => isInColumns(start) === inColumns;
      return this.#rarest(connection, branch, isCandidate, { enough, most });
    };
    const best = await rarest(false);
    const isRare = best !== null && best.matches < most;
    const together = await this.#together(connection, branch, rows);
    if (together !== null && !(isRare && best.matches * matchCost < together.steps))
      return together.start;
    if (!isRare) return { kind: "any" };
    const column = await rarest(true, best.matches);
    return column !== null && column.matches < best.matches ? { kind: "any" } : best;
  }

  /** The candidate with the fewest matches; the first one with fewer than `enough` ends the search. */
  async #rarest(
    connection: Reader,
    branch: Branch,
    isCandidate: (start: StartShape) => boolean,
    { enough = 1, most = ceiling }: { readonly enough?: number; readonly most?: number } = {},
  ): Promise<Candidate | null> {
    let best: Candidate | null = null;
    let counted = 0;
    for (const condition of branch.conditions) {
      const from = startShapeOf(condition, branch);
      if (from === null || !isCandidate(from)) continue;
      counted += 1;
      if (counted > mostCounted) break;
      const matches = await this.#count(connection, branch, from, most);
      if (best === null || matches < best.matches) {
        best = { kind: "condition", condition, from, matches };
      }
      if (matches < enough) break;
    }
    return best;
  }

  /**
   * The result of `keyAfter` for so many steps, cached for a minute, or until as many records are new. Null: the order has
   * fewer steps.
   */
  async endOfWalk(
    connection: Reader,
    branch: Branch,
    statement: ReturnType<typeof keyAfter>,
    steps: number,
  ): Promise<KeyValue | null> {
    const { layout, fence } = branch;
    const key = cacheKey([layout.number, fence, statement.text, statement.values]);
    const known = this.#ends.get(key);
    if (known !== undefined && this.#isFresh(known, branch, steps)) return known.found;
    const [row] = await connection.tuples(statement);
    const end = row?.[0] ?? null;
    this.#ends.set(key, this.#keep(end, branch));
    return end;
  }

  #sizeNow({ layout, cid }: Branch): number {
    return this.#sizes.get(cacheKey([layout.number, cid])) ?? 0;
  }

  #keep<Found>(found: Found, branch: Branch): Kept<Found> {
    return { found, rows: this.#sizeNow(branch), until: performance.now() + countMilliseconds };
  }

  #isFresh({ rows, until }: Kept<unknown>, branch: Branch, mostNew: number): boolean {
    return until > performance.now() && this.#sizeNow(branch) - rows < mostNew;
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
    branch: Branch,
    rows: Sql,
    { condition, most }: { readonly condition: unknown; readonly most: number },
  ): Promise<number> {
    const { layout, cid, expired, fence } = branch;
    // With row-level security, the count depends on the tenants that the reader sees.
    const key = cacheKey([layout.number, cid, expired, fence, most, condition]);
    const known = this.#counts.get(key);
    if (known !== undefined) {
      const { found } = known;
      const mostNew = found >= most ? Infinity : Math.max(newRecords, found / 2);
      if (this.#isFresh(known, branch, mostNew)) return found;
    }
    const [row] = await connection.all(
      sql<{ matches: number }>`
        select count(*) as matches from (${rows} limit ${sql.literal(most)}) as m`,
    );
    const matches = row?.matches ?? 0;
    this.#counts.set(key, this.#keep(matches, branch));
    return matches;
  }
}

/** For a condition on words, the candidates of the index: they are sufficient for a choice and need no texts. */
function matchesOf(start: StartShape, branch: Branch, most: number): Sql {
  if (start.kind === "words") {
    return versionsWith({ ...start, part: null, phrases: [] }, branch);
  }
  // Whether a text has a folded form is not in its index, so the rows would be read.
  if ("fold" in start && start.fold && isInOneIndex(start, branch)) {
    return versionsInIndex(start, branch, () => branch.dialect.boolean(true));
  }
  // The function of an index of trigrams stops at this number by itself.
  return selectVersions(start, branch, most);
}
