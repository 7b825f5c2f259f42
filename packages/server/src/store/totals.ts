import type { Predicate } from "@security-platform/fql";
import type { Layout } from "./columns.ts";
import { findMatches, type Matches } from "./count.ts";
import { LeastRecentlyUsed } from "./least-recently-used.ts";
import { queryOf, type Standing, type View } from "./view.ts";

const totalsKept = 1_000;
/** Lists of rows are longer than numbers. */
const listsKept = 100;

/** How many records match, exactly, and where they are if that is known. */
export interface Counter {
  matches(
    view: View,
    predicate: Predicate,
    now: Date,
    standings: readonly Standing[],
  ): Promise<Matches>;
}

/** Counts every time: for transactions, whose write number says nothing of what they have written yet. */
export const countEachTime: Counter = {
  matches: (view, predicate, now, standings) =>
    findMatches(
      view,
      queryOf(view, predicate, now),
      standings.map(({ number }) => number),
    ),
};

/** Totals kept until the next write to the resource by a tenant in sight. */
export class Totals implements Counter {
  readonly #totals = new LeastRecentlyUsed<string, number>(totalsKept);
  readonly #rows = new LeastRecentlyUsed<string, readonly number[]>(listsKept);

  async matches(
    view: View,
    predicate: Predicate,
    now: Date,
    standings: readonly Standing[],
  ): Promise<Matches> {
    const { layout, owners } = view;
    const ask = () => countEachTime.matches(view, predicate, now, standings);
    if (changesWithTime(predicate, layout, layout.resource.softDelete !== undefined)) return ask();
    const written = owners.map(({ cid, ancestor, audience }, at) => {
      const inherited = ancestor !== null;
      return [cid, inherited, audience, standings[at]?.resource];
    });
    const key = JSON.stringify([layout.table, written, predicate]);
    const known = this.#totals.peek(key);
    if (known !== undefined) return { total: known, rows: this.#rows.peek(key) ?? null };
    const matches = await ask();
    this.#totals.set(key, matches.total);
    if (matches.rows !== null) this.#rows.set(key, matches.rows);
    return matches;
  }
}

/** Without a write, only fields that turn and deleted records that go for good change what matches. */
function changesWithTime(predicate: Predicate, layout: Layout, softDelete: boolean): boolean {
  if ("operands" in predicate) {
    return predicate.operands.some((operand) => changesWithTime(operand, layout, softDelete));
  }
  if ("operand" in predicate) return changesWithTime(predicate.operand, layout, softDelete);
  if (!("field" in predicate)) return false;
  if (softDelete && predicate.field === "deleted") return true;
  return layout.fields.get(predicate.field)?.turns ?? false;
}
