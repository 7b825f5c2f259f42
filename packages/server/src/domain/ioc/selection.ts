import { evaluate, parseFilter, type Predicate } from "@security-platform/fql";
import type { Context } from "../../calls/context.ts";
import { errors } from "../../foundation/errors.ts";
import { pause } from "../../foundation/work-turns.ts";
import { filterReader } from "../../records/filters.ts";
import type { Writing, WritingCall } from "../../records/write.ts";
import { indicators, type Indicator } from "./indicators.ts";

/** Maximum number of indicators in a bulk change. */
const bulkCeiling = 10_000;
/** Number of indicators that are read at once. */
const batch = 500;

/** The tenant's indicators that a bulk change shall change. */
export interface Selection {
  readonly predicate: Predicate;
  readonly ids: readonly string[];
}

/**
 * Finds the tenant's matching indicators before the transaction, because a search may take long, and all writes
 * wait for a transaction. 400 for too many. `at`: the place of the filter.
 */
export async function selectIndicators(
  { caller, context, now }: WritingCall & { readonly context: Context },
  filter: string,
  at: string,
): Promise<Selection> {
  const predicate = bulkPredicate(filter, now);
  const own = context.store.records(indicators, { cid: caller.cid, records: "own" });
  const count = await own.count(predicate, now);
  if (count > bulkCeiling) {
    const message = `selects ${count} indicators, a bulk change touches at most ${bulkCeiling}; narrow the filter`;
    throw errors.invalidRequest([{ at, message }]);
  }
  const query = { predicate, sort: [], limit: bulkCeiling, shape: "ids", now } as const;
  return { predicate, ids: (await own.page(query)).items };
}

/** The filter of a bulk change. 400 for an empty filter, which would select all indicators by mistake. */
function bulkPredicate(filter: string, now: Date): Predicate {
  if (parseFilter(filter).kind === "everything") {
    throw errors.invalidFilter(
      "Invalid filter expression supplied: empty at offset 0. A bulk change needs a filter; id:* selects every indicator.",
    );
  }
  return filterReader(indicators.fields).predicate(filter, now);
}

/** Locks and returns those of the selected indicators that still match. */
export async function takeSelected(
  writing: Writing,
  { predicate, ids }: Selection,
): Promise<readonly Indicator[]> {
  const { stored } = writing.records(indicators);
  const taken: Indicator[] = [];
  for (let from = 0; from < ids.length; from += batch) {
    const part = ids.slice(from, from + batch);
    const locked = await stored.getForUpdate(part);
    const current = await stored.getComplete(part, writing.now);
    for (const [id, indicator] of locked) {
      const shown = current.get(id);
      if (shown !== undefined && evaluate(predicate, shown, indicators.fields)) {
        taken.push(indicator);
      }
      await pause();
    }
  }
  return taken;
}
