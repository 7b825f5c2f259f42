import type { StoredUser } from "../access/users.ts";
import type { JsonObject, Resource, Store, Tenant, Transaction } from "../store/index.ts";
import type { KnownId } from "./known-ids.ts";
import type { TenantPlan } from "./worlds.ts";

/** A tenant of a world that is being filled. */
export interface Filling {
  readonly store: Store;
  readonly tenant: Tenant;
  readonly plan: TenantPlan;
  /** Prefix of the names of the tenant's random sequences. */
  readonly purpose: string;
  readonly seed: number;
  /** The reference day of the world. */
  readonly base: number;
  /** The minute in which the world is generated: nothing happened later. */
  readonly now: number;
  /** The users of the tenant, in the order of their parts. */
  readonly users: readonly StoredUser[];
  /** The first of its sites in the list of all. */
  readonly siteOffset: number;
  /** Whether the tenant existed before, perhaps with some of its records. */
  readonly existed: boolean;
  /** The identifiers of the records that the examples of the document show, in this tenant. */
  readonly known: KnownId;
}

/** Called with the number of stored records. */
export type Count = (records: number) => void;

const batch = 10_000;

/** Completes records from other stored records, in the same transaction. */
type Complete<Record> = (
  records: readonly Record[],
  transaction: Transaction,
  now: Date,
) => Promise<readonly Record[]>;

/** Stores records in batches, one transaction each. Existing records stay unchanged. */
export async function insertAll<Record extends object>(
  filling: Filling,
  resource: Resource<Record>,
  records: Iterable<Record>,
  count: Count,
  complete?: Complete<Record>,
): Promise<void> {
  for (const part of inBatches(records)) {
    await insertNew(filling, resource, part, complete);
    count(part.length);
  }
}

function* inBatches<Item>(items: Iterable<Item>): Generator<readonly Item[]> {
  let part: Item[] = [];
  for (const item of items) {
    part.push(item);
    if (part.length < batch) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

function insertNew<Record extends object>(
  { store, tenant, base, existed }: Filling,
  resource: Resource<Record>,
  records: readonly Record[],
  complete: Complete<Record> | undefined,
): Promise<void> {
  const now = new Date(base);
  const idOf = (record: Record) => String((record as JsonObject)[resource.id]);
  return store.write(tenant.cid, async (transaction) => {
    const writable = transaction.records(resource);
    const existing = existed
      ? await writable.getForUpdate(records.map(idOf))
      : new Map<string, Record>();
    const newRecords = records.filter((record) => !existing.has(idOf(record)));
    if (newRecords.length === 0) return;
    await writable.insert((await complete?.(newRecords, transaction, now)) ?? newRecords, now);
  });
}

export function* take<Item>(items: Iterable<Item>, from: number, to: number): Generator<Item> {
  let index = 0;
  for (const item of items) {
    if (index >= to) return;
    if (index >= from) yield item;
    index += 1;
  }
}
