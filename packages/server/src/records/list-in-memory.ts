import { evaluate, type Fields, type FilterRecord, type SortKey } from "@security-platform/fql";
import type { PageData } from "../calls/answer.ts";
import { filterReader } from "./filters.ts";
import { compareKeys, directionsOf, keysOf } from "./sort-in-memory.ts";

interface OffsetPage {
  readonly limit: number;
  readonly offset?: number;
}

/** One page of an in-memory list, with its page data. */
export function pageOf<Item>(
  items: readonly Item[],
  { limit, offset = 0 }: OffsetPage,
): { readonly items: readonly Item[]; readonly page: PageData } {
  const pageItems = items.slice(offset, offset + limit);
  const next = offset + pageItems.length;
  return {
    items: pageItems,
    page: {
      limit,
      offset,
      total: items.length,
      ...(next < items.length && pageItems.length > 0 ? { nextOffset: next } : {}),
    },
  };
}

/**
 * Filters and sorts computed records in the same way as the store: records without a value come last, and
 * ties keep the order of the input.
 */
export function selectInMemory<Record extends object>(
  records: readonly Record[],
  { filter, sort }: { readonly filter?: string; readonly sort?: string },
  fields: Fields,
  now: Date,
): readonly Record[] {
  const reader = filterReader(fields);
  const predicate = reader.predicate(filter, now);
  const keys = reader.sortKeys(sort);
  const matches = records.filter((record) => evaluate(predicate, record as FilterRecord, fields));
  return keys.length === 0 ? matches : sorted(matches, keys, fields);
}

function sorted<Record extends object>(
  records: readonly Record[],
  keys: readonly SortKey[],
  fields: Fields,
): readonly Record[] {
  const directions = directionsOf(keys, fields);
  return records
    .map((record) => ({ record, values: keysOf(record as FilterRecord, keys, fields) }))
    .toSorted((left, right) => compareKeys(left.values, right.values, directions))
    .map(({ record }) => record);
}
