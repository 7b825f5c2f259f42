import type { Predicate } from "@security-platform/fql";
import { LRUCache } from "lru-cache";
import { cacheKey } from "./cache-key.ts";
import type { Layout } from "../rows/columns.ts";
import { findMatches, type Matches } from "./count.ts";
import { fieldsIn, inStoredFields } from "./sources.ts";
import { recordsIn, viewForLongStatements, queryOf, type SourceState, type View } from "./view.ts";

const totalsKept = 1_000;
/** Lower than the number of kept totals, because lists of rows need more memory. */
const listsKept = 100;

/** Returns the exact number of matches, and their rows if known. */
export interface Counter {
  matches(
    view: View,
    predicate: Predicate,
    now: Date,
    states: readonly SourceState[],
  ): Promise<Matches>;
}

/** Does not cache. For transactions, whose write number stays the same after each of their writes. */
export const countEachTime: Counter = {
  matches: (view, predicate, now, states) =>
    findMatches(
      viewForLongStatements(view, states),
      queryOf(view, predicate, now),
      states.map(({ number }) => number),
      recordsIn(states),
    ),
};

/** Totals, cached until the next write to the resource in one of its sources. */
export class Totals implements Counter {
  readonly #totals = new LRUCache<string, number>({ max: totalsKept });
  readonly #rows = new LRUCache<string, readonly number[]>({ max: listsKept });

  async matches(
    view: View,
    predicate: Predicate,
    now: Date,
    states: readonly SourceState[],
  ): Promise<Matches> {
    const { layout, sources } = view;
    const parts: unknown[] = [layout.number];
    for (const [at, source] of sources.entries()) {
      const { cid, fence, replacedBy, condition } = source;
      const stored = inStoredFields(predicate, source);
      if (changesWithTime(stored, layout) || changesWithTime(condition, layout)) {
        return countEachTime.matches(view, predicate, now, states);
      }
      parts.push(cid, fence, replacedBy, states[at]?.resource, condition, stored);
    }
    const key = cacheKey(parts);
    const cachedTotal = this.#totals.get(key);
    if (cachedTotal !== undefined) return { total: cachedTotal, rows: this.#rows.get(key) ?? null };
    const matches = await countEachTime.matches(view, predicate, now, states);
    this.#totals.set(key, matches.total);
    if (matches.rows !== null) this.#rows.set(key, matches.rows);
    return matches;
  }
}

/**
 * Between two writes, the matches only change through fields that change on expiry and through purged
 * records.
 */
function changesWithTime(predicate: Predicate | null, { resource, fields }: Layout): boolean {
  for (const name of predicate === null ? [] : fieldsIn(predicate)) {
    if (fields.get(name)?.expires === true) return true;
    if (name === "deleted" && resource.softDelete !== undefined) return true;
  }
  return false;
}
