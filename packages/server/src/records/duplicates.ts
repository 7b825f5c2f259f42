import type { Problem } from "../foundation/errors.ts";

/** A record to store, and its place in the request. */
export interface Placed<Record> {
  readonly at: string;
  readonly record: Record;
}

/** The record that already has a key: a stored record, or an earlier one of the request. */
export type Rival = { readonly id: string } | { readonly at: string };

/** A key that must be unique among the records of a tenant. */
export interface UniqueKey<Record> {
  keyOf(record: Record): string;
  /** Ids of stored records, by key. */
  holders(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** A unique key, and the message for a duplicate. */
export interface Distinction<Record> extends UniqueKey<Record> {
  problem(placed: Placed<Record>, rival: Rival): Problem;
}

/**
 * The rival of each record, in the same order; undefined for records without a rival. Stored records that the
 * request changes are not rivals. The result is exact inside a transaction, because a tenant's writes run one
 * after the other.
 */
export async function rivalsOf<Record extends { readonly id: string }>(
  records: readonly Placed<Record>[],
  unique: UniqueKey<Record>,
): Promise<readonly (Rival | undefined)[]> {
  const keys = records.map(({ record }) => unique.keyOf(record));
  const holders = await unique.holders([...new Set(keys)]);
  const changed = new Set(records.map(({ record }) => record.id));
  const places = new Map<string, string>();
  return records.map(({ at }, index) => {
    const key = keys[index] ?? "";
    const holder = holders.get(key);
    const earlier = places.get(key);
    if (earlier === undefined) places.set(key, at);
    if (holder !== undefined && !changed.has(holder)) return { id: holder };
    return earlier === undefined ? undefined : { at: earlier };
  });
}

/** A problem for each record that has a rival. */
export async function duplicateProblems<Record extends { readonly id: string }>(
  records: readonly Placed<Record>[],
  distinction: Distinction<Record>,
): Promise<readonly Problem[]> {
  const rivals = await rivalsOf(records, distinction);
  return records.flatMap((placed, index) => {
    const rival = rivals[index];
    return rival === undefined ? [] : [distinction.problem(placed, rival)];
  });
}
