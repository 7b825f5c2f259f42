import type { Clock } from "../clock.ts";
import type { JsonObject, Store, Tenant, Transaction } from "../store/types.ts";
import { writeAsCommand } from "../records/write.ts";
import type { CatalogueEntry } from "./entries.ts";

interface Provision {
  readonly store: Store;
  readonly clock: Clock;
  readonly catalogue: readonly CatalogueEntry[];
}

/**
 * Makes the tenant and gives it the catalogue. A crash in between leaves a tenant at version 0, which
 * `provision` completes.
 */
export async function createProvisioned(parts: Provision, tenant: Tenant): Promise<void> {
  const { store } = parts;
  await store.directory.createTenant(tenant);
  const versions = versionsOf(parts.catalogue);
  for (const version of versions) {
    // oxlint-disable-next-line no-await-in-loop -- later entries may build on earlier ones
    await bring(parts, tenant, version, { audited: false });
  }
}

/** Gives every tenant what came into the catalogue since it was last looked after. */
export async function provision(parts: Provision): Promise<void> {
  const { store, catalogue } = parts;
  for (const version of versionsOf(catalogue)) {
    // oxlint-disable-next-line no-await-in-loop -- see above
    const behind = await store.directory.tenantsBehind(version);
    for (const tenant of behind) {
      // oxlint-disable-next-line no-await-in-loop -- nobody waits for many at once
      await bring(parts, tenant, version, { audited: true });
    }
  }
}

const versionsOf = (catalogue: readonly CatalogueEntry[]): readonly number[] =>
  [...new Set(catalogue.map(({ since }) => since))].toSorted((left, right) => left - right);

/** The audit trail mentions records that a later version adds; those of a new tenant are part of it. */
async function bring(
  { store, clock, catalogue }: Provision,
  tenant: Tenant,
  version: number,
  { audited }: { readonly audited: boolean },
): Promise<void> {
  const now = clock.now();
  const command = {
    store,
    cid: tenant.cid,
    name: `catalogue version ${version}`,
    now,
    actor: "server",
  };
  await writeAsCommand(command, async (writing) => {
    const ids: string[] = [];
    for (const entry of catalogue) {
      if (entry.since !== version) continue;
      // oxlint-disable-next-line no-await-in-loop -- one transaction
      ids.push(...(await addMissing(writing.transaction, entry, tenant, now)));
    }
    if (audited && ids.length > 0) writing.audit(ids);
  });
  await store.directory.setCatalogueVersion(tenant.cid, version);
}

/** Records whose id or unique key the tenant has already stay as they are. */
async function addMissing(
  transaction: Transaction,
  entry: CatalogueEntry,
  tenant: Tenant,
  now: Date,
): Promise<readonly string[]> {
  const { resource } = entry;
  const writable = transaction.records(resource);
  const made = entry.records(tenant, now);
  const idOf = (record: object) => String((record as JsonObject)[resource.id]);
  const keyOf = (record: object) => resource.uniqueKey?.(record) ?? null;
  const known = await writable.take(made.map(idOf));
  const holders = await writable.findDuplicates(made.flatMap((record) => keyOf(record) ?? []));
  const fresh = made.filter(
    (record) => !known.has(idOf(record)) && !holders.has(keyOf(record) ?? ""),
  );
  if (fresh.length > 0) await writable.put(fresh, now);
  return fresh.map(idOf);
}
