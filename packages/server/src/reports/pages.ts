import type { Predicate, SortKey } from "@security-platform/fql";
import type { Position, Records, RecordText } from "../store/index.ts";

/**
 * Rows per query. On SQLite a query holds up the other requests of the process. The rows of larger batches
 * outlive young garbage collections, which lets the heap grow.
 */
const batch = 500;

interface PagesQuery {
  readonly predicate: Predicate;
  /** Default: the order in which the records were written. */
  readonly sort?: readonly SortKey[];
  readonly now: Date;
}

/** All matching records as they were at the first batch, with constant memory. */
export async function* pagesOf<Record extends object>(
  records: Records<Record>,
  { predicate, sort = [], now }: PagesQuery,
): AsyncGenerator<readonly RecordText[]> {
  const query = { predicate, sort, limit: batch, shape: "records", now } as const;
  let after: Position | undefined;
  do {
    const page = await records.page(after === undefined ? query : { ...query, after });
    yield page.items;
    after = page.next;
  } while (after !== undefined);
}
