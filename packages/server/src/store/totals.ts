import type { Predicate } from "@security-platform/fql";
import { layoutOf, type Layout } from "./columns.ts";
import { countMatching } from "./count.ts";
import { LeastRecentlyUsed } from "./least-recently-used.ts";
import { queryOf, type Standing, type View } from "./view.ts";

const totalsKept = 1_000;

/** How many records match, exactly. */
export interface Counter {
  count(
    view: View,
    predicate: Predicate,
    now: Date,
    standings: readonly Standing[],
  ): Promise<number>;
}

/** Counts every time: for transactions, whose write number says nothing of what they have written yet. */
export const countEachTime: Counter = {
  count: (view, predicate, now, standings) =>
    countMatching(
      view,
      queryOf(view, predicate, now),
      standings.map(({ number }) => number),
    ),
};

/** Totals kept until the next write to the resource by a tenant in sight. */
export class Totals implements Counter {
  readonly #totals = new LeastRecentlyUsed<string, number>(totalsKept);

  async count(
    view: View,
    predicate: Predicate,
    now: Date,
    standings: readonly Standing[],
  ): Promise<number> {
    const { resource, owners } = view;
    const layout = layoutOf(resource);
    const ask = () => countEachTime.count(view, predicate, now, standings);
    if (changesWithTime(predicate, layout, resource.softDelete !== undefined)) return ask();
    const written = owners.map(({ cid, ancestor, audience }, at) => {
      const inherited = ancestor !== null;
      return [cid, inherited, audience, standings[at]?.resource];
    });
    const key = JSON.stringify([layout.table, written, predicate]);
    const known = this.#totals.peek(key);
    if (known !== undefined) return known;
    const total = await ask();
    this.#totals.set(key, total);
    return total;
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
