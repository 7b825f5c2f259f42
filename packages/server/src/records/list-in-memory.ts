import {
  compareCodePoints,
  evaluate,
  fieldValues,
  type Fields,
  type FilterRecord,
  type Scalar,
  type SortKey,
} from "@security-platform/fql";
import type { PageData } from "../answer.ts";
import { filterReader } from "./filters.ts";

interface OffsetPage {
  readonly limit: number;
  readonly offset?: number;
}

/** One page of a list in memory, with its page data. */
export function pageOf<Item>(
  items: readonly Item[],
  { limit, offset = 0 }: OffsetPage,
): { readonly items: readonly Item[]; readonly page: PageData } {
  const found = items.slice(offset, offset + limit);
  const next = offset + found.length;
  return {
    items: found,
    page: {
      limit,
      offset,
      total: items.length,
      ...(next < items.length && found.length > 0 ? { nextOffset: next } : {}),
    },
  };
}

/**
 * Filters and sorts computed records as the store does: records without a value last, ties in the
 * order of the input.
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
  const found = records.filter((record) => evaluate(predicate, record as FilterRecord, fields));
  return keys.length === 0 ? found : sorted(found, keys, fields);
}

function sorted<Record extends object>(
  records: readonly Record[],
  keys: readonly SortKey[],
  fields: Fields,
): readonly Record[] {
  const valued = records.map((record) => ({
    record,
    values: keys.map(({ field }) => {
      const described = fields[field];
      return described && fieldValues(record as FilterRecord, field, described)[0];
    }),
  }));
  const compared = valued.toSorted((left, right) => {
    for (const [at, { direction }] of keys.entries()) {
      const order = compare(left.values[at], right.values[at], direction);
      if (order !== 0) return order;
    }
    return 0;
  });
  return compared.map(({ record }) => record);
}

function compare(
  left: Scalar | undefined,
  right: Scalar | undefined,
  direction: SortKey["direction"],
): number {
  if (left === undefined || right === undefined) {
    return Number(left === undefined) - Number(right === undefined);
  }
  const order =
    typeof left === "number" && typeof right === "number"
      ? left - right
      : compareCodePoints(String(left), String(right));
  return direction === "asc" ? order : -order;
}
