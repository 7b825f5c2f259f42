import type { Problem } from "../errors.ts";

/** A record to store, and its place in the request. */
export interface Placed<Record> {
  readonly at: string;
  readonly record: Record;
}

/** The record that already has a key: a stored one, or an earlier one of the request. */
export type Rival = { readonly id: string } | { readonly at: string };

/** A key that no two records of a tenant may share. */
export interface Distinction<Record> {
  keyOf(record: Record): string;
  /** Ids of stored records, by key. */
  holders(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  problem(placed: Placed<Record>, rival: Rival): Problem;
}

/**
 * Duplicate keys among the records, or with stored records that the request does not change. Exact
 * inside a transaction, as the writes of a tenant are serialised.
 */
export async function duplicateProblems<Record extends { readonly id: string }>(
  wanted: readonly Placed<Record>[],
  distinction: Distinction<Record>,
): Promise<readonly Problem[]> {
  const keys = wanted.map(({ record }) => distinction.keyOf(record));
  const holders = await distinction.holders([...new Set(keys)]);
  const changing = new Set(wanted.map(({ record }) => record.id));
  const places = new Map<string, string>();
  return wanted.flatMap((placed, index) => {
    const key = keys[index] ?? "";
    const holder = holders.get(key);
    const earlier = places.get(key);
    if (earlier === undefined) places.set(key, placed.at);
    if (holder !== undefined && !changing.has(holder)) {
      return [distinction.problem(placed, { id: holder })];
    }
    return earlier === undefined ? [] : [distinction.problem(placed, { at: earlier })];
  });
}
