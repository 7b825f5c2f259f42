import type { Predicate } from "@security-platform/fql";
import type { Layout } from "../rows/columns.ts";
import { findMatches, type Matches } from "./count.ts";
import { LeastRecentlyUsed } from "../../least-recently-used.ts";
import { fieldsIn, inStoredFields } from "./sources.ts";
import { patientView, queryOf, type SourceState, type View } from "./view.ts";

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
      patientView(view, states),
      queryOf(view, predicate, now),
      states.map(({ number }) => number),
    ),
};

/** Totals, cached until the next write to the resource in one of its sources. */
export class Totals implements Counter {
  readonly #totals = new LeastRecentlyUsed<string, number>(totalsKept);
  readonly #rows = new LeastRecentlyUsed<string, readonly number[]>(listsKept);

  async matches(
    view: View,
    predicate: Predicate,
    now: Date,
    states: readonly SourceState[],
  ): Promise<Matches> {
    const { layout, sources } = view;
    const count = () => countEachTime.matches(view, predicate, now, states);
    const parts = sources.map((source, at) => ({
      written: [source.cid, source.fence, source.replacedBy, states[at]?.resource],
      predicates: [source.condition, inStoredFields(predicate, source)],
    }));
    const predicates = parts.flatMap((part) => part.predicates.filter((each) => each !== null));
    if (predicates.some((each) => changesWithTime(each, layout))) return count();
    const key = JSON.stringify([layout.number, parts]);
    const known = this.#totals.peek(key);
    if (known !== undefined) return { total: known, rows: this.#rows.peek(key) ?? null };
    const matches = await count();
    this.#totals.set(key, matches.total);
    if (matches.rows !== null) this.#rows.set(key, matches.rows);
    return matches;
  }
}

/**
 * Between two writes, the matches only change through fields that change on expiry and through purged
 * records.
 */
const changesWithTime = (predicate: Predicate, { resource, fields }: Layout): boolean =>
  fieldsIn(predicate).some(
    (name) =>
      (resource.softDelete !== undefined && name === "deleted") ||
      (fields.get(name)?.expires ?? false),
  );
