import { evaluate, parseFilter, type Predicate } from "@security-platform/fql";
import { errors } from "../../foundation/errors.ts";
import { pause } from "../../foundation/work-turns.ts";
import { filterReader } from "../../records/filters.ts";
import { authorOf, type Author, type Writing } from "../../records/write.ts";
import {
  inBatches,
  writeInBatches,
  type Batched,
  type BatchedCall,
} from "../../records/write-batches.ts";
import { indicatorNoun, indicators, shownAt, type Indicator } from "./indicators.ts";

/** Number of identifiers that one search finds. A search may look at every indicator, so there should be few. */
const idsAtOnce = 10_000;

interface BulkChange<Item> {
  /** May refuse the change of these indicators before anything is changed. */
  readonly check?: (selected: readonly Indicator[], author: Author) => Promise<void>;
  /** Returns what the answer lists. */
  change(writing: Writing, selected: readonly Indicator[]): Promise<readonly Item[]>;
}

/**
 * Changes the tenant's own indicators that match `filter`, however many. The searches run outside of the transactions,
 * because they may take long and all writes wait for a transaction.
 */
export async function changeSelected<Item>(
  call: BatchedCall,
  filter: string,
  { check, change }: BulkChange<Item>,
): Promise<Batched<Item>> {
  const { caller, context, now } = call;
  const predicate = bulkPredicate(filter, now);
  const own = context.store.records(indicators, { cid: caller.cid, records: "own" });
  const search = (): AsyncIterable<readonly string[]> => own.scanIds(predicate, now, idsAtOnce);
  let selected = search();
  if (check !== undefined) {
    const found: string[] = [];
    let count = 0;
    for await (const ids of inBatches(search())) {
      count += ids.length;
      if (count <= idsAtOnce) found.push(...ids);
      await check([...(await own.getWritten(ids, now)).values()], authorOf(call));
    }
    if (count <= idsAtOnce) selected = only(found);
  }
  return writeInBatches(call, selected, indicatorNoun, async (writing, ids) =>
    change(writing, await takeSelected(writing, ids, predicate)),
  );
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

/** Locks and returns those of the found indicators that still match. */
async function takeSelected(
  writing: Writing,
  ids: readonly string[],
  predicate: Predicate,
): Promise<readonly Indicator[]> {
  const { stored } = writing.records(indicators);
  const locked = await stored.getForUpdate(ids);
  const taken: Indicator[] = [];
  for (const id of ids) {
    await pause();
    const indicator = locked.get(id);
    if (indicator === undefined) continue;
    const shown = shownAt(indicator, writing.now);
    if (evaluate(predicate, shown, indicators.fields)) taken.push(indicator);
  }
  return taken;
}

async function* only(ids: readonly string[]): AsyncGenerator<readonly string[]> {
  if (ids.length > 0) yield ids;
}
