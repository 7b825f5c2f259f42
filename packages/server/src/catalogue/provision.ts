import type { Clock } from "../foundation/clock.ts";
import type { JsonObject, Resource, Store, Tenant, Transaction } from "../store/index.ts";
import { writeAsCommand } from "../records/write.ts";
import type { Catalogue, SharedEntry, TenantEntry } from "./entries.ts";
import { provisionPlatform } from "./provision-platform.ts";

interface Provision {
  readonly store: Store;
  readonly clock: Clock;
  readonly catalogue: Catalogue;
}

/** The number of tenants that a start changes at the same time, so that their commits share the wait for the disk. */
const tenantsAtOnce = 16;

/** Creates the tenant with the catalogue's records, in one transaction. */
export async function createProvisioned(parts: Provision, tenant: Tenant): Promise<void> {
  const { store, clock, catalogue } = parts;
  await provisionPlatform(parts);
  const now = clock.now();
  await store.directory.createTenant(tenant, async (transaction) => {
    await eachResource(catalogue.tenants, async (entry) => {
      await transaction.records(entry.resource).put(entry.records(tenant, now), now);
    });
    await transaction.raiseCatalogue(newestVersion(catalogue));
  });
}

/** Adds to the platform and to every tenant what the catalogue has gained since their last start. */
export async function provision(parts: Provision): Promise<void> {
  const { store, catalogue } = parts;
  await provisionPlatform(parts);
  const version = newestVersion(catalogue);
  const behind = await store.directory.tenantsBehind(version);
  if (behind.length === 0) return;
  const shared = catalogue.shared.map(withOwnRecords);
  for (let at = 0; at < behind.length; at += tenantsAtOnce) {
    const some = behind.slice(at, at + tenantsAtOnce);
    await allEnded(some.map((tenant) => bring(parts, tenant, { version, shared })));
  }
}

/** The newest version that any entry of the catalogue came with. */
export const newestVersion = ({ tenants, sharedSince }: Catalogue): number =>
  Math.max(sharedSince, ...tenants.map(({ since }) => since));

/** The version that the tenants get, and the entries whose copies they lose. */
interface Goal {
  readonly version: number;
  readonly shared: readonly OwnShared[];
}

/** Another server may bring the same tenant at the same time. The records that it added may have been deleted since. */
async function bring(
  { store, clock, catalogue }: Provision,
  tenant: Tenant,
  { version, shared }: Goal,
): Promise<void> {
  const { cid } = tenant;
  const now = clock.now();
  const name = `catalogue version ${version}`;
  await writeAsCommand({ store, cid, name, now, actor: "server" }, async (writing) => {
    const { transaction } = writing;
    const before = await transaction.raiseCatalogue(version);
    if (before >= version) return;
    const newer = catalogue.tenants.filter(({ since }) => since > before);
    const added = await eachResource(newer, (entry) => addMissing(transaction, entry, tenant, now));
    const ids = added.flat();
    if (before < catalogue.sharedSince) {
      await eachResource(shared, (entry) => removeCopies(transaction, entry, now));
    }
    if (ids.length > 0) writing.audit(ids);
  });
}

/**
 * Does the work for each entry of a transaction: one after the other for a resource, and the resources concurrently, to
 * save round trips to the database. All of it must end before the transaction ends.
 */
async function eachResource<Entry extends { readonly resource: Resource }, Result>(
  entries: readonly Entry[],
  work: (entry: Entry) => Promise<Result>,
): Promise<readonly Result[]> {
  const byResource = Map.groupBy(entries, ({ resource }) => resource);
  const results = await allEnded(
    [...byResource.values()].map(async (ofResource) => {
      const ofEntries: Result[] = [];
      for (const entry of ofResource) ofEntries.push(await work(entry));
      return ofEntries;
    }),
  );
  return results.flat();
}

/** Waits for all, and throws the first error. */
async function allEnded<Result>(work: readonly Promise<Result>[]): Promise<readonly Result[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

const idOf = ({ resource }: Pick<TenantEntry, "resource">, record: object): string =>
  String((record as JsonObject)[resource.id]);

/** Records whose id or unique key the tenant has already stay as they are. */
async function addMissing(
  transaction: Transaction,
  entry: TenantEntry,
  tenant: Tenant,
  now: Date,
): Promise<readonly string[]> {
  const { resource } = entry;
  const writable = transaction.records(resource);
  const records = entry.records(tenant, now);
  const keyOf = (record: object) => resource.uniqueKey?.(record) ?? null;
  const existing = await writable.getForUpdate(records.map((record) => idOf(entry, record)));
  const holders = await writable.findDuplicates(records.flatMap((record) => keyOf(record) ?? []));
  const newRecords = records.filter(
    (record) => !existing.has(idOf(entry, record)) && !holders.has(keyOf(record) ?? ""),
  );
  if (newRecords.length > 0) await writable.put(newRecords, now);
  return newRecords.map((record) => idOf(entry, record));
}

/** A shared entry with its records by id, whose resource shows only the tenant's own records. */
interface OwnShared {
  readonly resource: Resource;
  readonly records: ReadonlyMap<string, object>;
  readonly isChanged: NonNullable<SharedEntry["isChanged"]>;
}

const withOwnRecords = ({ isChanged = () => false, ...entry }: SharedEntry): OwnShared => ({
  resource: { ...entry.resource, visibility: { sources: ["own"] } },
  records: new Map(entry.records().map((record) => [idOf(entry, record), record])),
  isChanged,
});

/** Removes the tenant's copies of shared records, so that it sees the shared ones in their place. */
async function removeCopies(
  transaction: Transaction,
  { resource, records, isChanged }: OwnShared,
  now: Date,
): Promise<void> {
  const writable = transaction.records(resource);
  const copiesById = await writable.getForUpdate([...records.keys()]);
  const copies = [...copiesById].flatMap(([id, copy]) => {
    const record = records.get(id);
    return record !== undefined && !isChanged(copy, record) ? [id] : [];
  });
  if (copies.length > 0) await writable.remove(copies, now);
}
