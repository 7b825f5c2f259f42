import type { Predicate } from "@security-platform/fql";
import type { Position, Store } from "../../../store/index.ts";
import { everyCase } from "../access-tags/reader.ts";
import { cases } from "./cases.ts";

interface Batches {
  readonly now: Date;
  /** Number of cases per batch. */
  readonly batch: number;
}

/** The ids of all matching cases of the tenant, in batches. */
export async function* caseIds(
  store: Store,
  cid: string,
  predicate: Predicate,
  { now, batch }: Batches,
): AsyncGenerator<readonly string[]> {
  const records = store.records(cases, everyCase(cid));
  const query = { predicate, sort: [], limit: batch, shape: "ids", now } as const;
  let after: Position | undefined;
  do {
    const page = await records.page({ ...query, ...(after && { after }) });
    if (page.items.length > 0) yield page.items;
    after = page.next;
  } while (after !== undefined);
}
