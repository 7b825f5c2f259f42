import type { Problem } from "../errors.ts";

/** A record as it is to be stored, and the place in the request that describes it. */
export interface Placed<Record> {
  readonly at: string;
  readonly record: Record;
}

/** Who has a key already: a stored record, or an earlier one of the same request. */
export type Rival = { readonly id: string } | { readonly at: string };

/** Something that no two records of a tenant may share. */
export interface Distinction<Record> {
  keyOf(record: Record): string;
  /** Ids of the stored records that have the keys. */
  holders(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  problem(placed: Placed<Record>, rival: Rival): Problem;
}

/**
 * Keys that the tenant would have twice, among the records wanted or with stored ones that stay as
 * they are. Exact inside a transaction, as a tenant's writes come one after another.
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
