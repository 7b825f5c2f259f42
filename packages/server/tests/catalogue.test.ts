import { newIdentifier } from "../src/identifiers.ts";
import { expect, test } from "vitest";
import { catalogueId, type CatalogueEntry } from "../src/catalogue/entries.ts";
import { catalogueVersion, createTenant, provisionTenants } from "../src/catalogue/index.ts";
import { createProvisioned, provision } from "../src/catalogue/provision.ts";
import { hostGroup, hostGroups, type HostGroup } from "../src/inventory/host-groups.ts";
import { resources } from "../src/resources.ts";
import type { Store, Tenant } from "../src/store/types.ts";
import { openStore } from "../src/store/index.ts";
import { forEachEngine } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";

const everything = { kind: "everything" } as const;

/** A catalogue whose every version brings host groups of these names. */
const catalogueOf = (...versions: readonly (readonly string[])[]): readonly CatalogueEntry[] =>
  versions.map((names, index): CatalogueEntry<HostGroup> => ({
    resource: hostGroups,
    since: index + 1,
    records: ({ cid }, now) =>
      names.map((name) =>
        hostGroup({
          id: catalogueId(cid, "inventory", name),
          name,
          description: "",
          group_type: "static",
          created_by: "catalogue",
          created_timestamp: now.toISOString(),
          modified_by: "catalogue",
          modified_timestamp: now.toISOString(),
        }),
      ),
  }));

forEachEngine((engine) => {
  const withStore = async (
    work: (parts: { store: Store; clock: ManualClock; tenant: Tenant }) => Promise<void>,
  ) => {
    const clock = new ManualClock();
    const store = await openStore({ url: await engine.url(), clock, resources, durable: false });
    const created_at = clock.now().toISOString();
    try {
      await work({
        store,
        clock,
        tenant: { cid: newIdentifier(), name: "a", parent_cid: null, created_at },
      });
    } finally {
      await store.close();
    }
  };
  const namesIn = async (store: Store, { cid }: Tenant): Promise<readonly string[]> => {
    const names: string[] = [];
    for await (const part of store.records(hostGroups, { cid }).scanWhole(everything, new Date())) {
      names.push(...part.map(({ name }) => name));
    }
    return names.toSorted();
  };

  test("a new tenant has what the catalogue has, with the same ids wherever it is made", async () => {
    await withStore(async ({ store, clock, tenant }) => {
      await createProvisioned({ store, clock, catalogue: catalogueOf(["x"], ["y"]) }, tenant);
      expect(await namesIn(store, tenant)).toEqual(["x", "y"]);
      expect(await store.directory.tenantsBehind(2)).toEqual([]);
      const known = await store
        .records(hostGroups, { cid: tenant.cid })
        .get([catalogueId(tenant.cid, "inventory", "x")], clock.now());
      expect(known.size).toBe(1);
    });
  });

  test("a newer catalogue adds what it brings; what was changed or deleted stays so", async () => {
    await withStore(async ({ store, clock, tenant }) => {
      const [kept, gone] = [
        catalogueId(tenant.cid, "inventory", "x"),
        catalogueId(tenant.cid, "inventory", "y"),
      ];
      const first = { store, clock, catalogue: catalogueOf(["x", "y"]) };
      await createProvisioned(first, tenant);
      await store.write(tenant.cid, async (transaction) => {
        const groups = transaction.records(hostGroups);
        const x = (await groups.take([kept])).get(kept);
        if (x === undefined) throw new Error("of the catalogue");
        await groups.replace([{ ...x, name: "renamed" }], clock.now());
        await groups.remove([gone], clock.now());
      });
      await provision(first);
      expect(await namesIn(store, tenant)).toEqual(["renamed"]);
      // As after a crash before the version was noted.
      await store.directory.setCatalogueVersion(tenant.cid, 0);
      await provision({ ...first, catalogue: catalogueOf(["x"]) });
      expect(await namesIn(store, tenant)).toEqual(["renamed"]);
      const second = { ...first, catalogue: catalogueOf(["x", "y"], ["RENAMED", "z"]) };
      await provision(second);
      await provision(second);
      expect(await namesIn(store, tenant)).toEqual(["renamed", "z"]);
      const entries = await store.directory.auditEntries({ cid: tenant.cid, limit: 9 });
      expect(entries).toMatchObject([
        {
          actor: "server",
          operation: "catalogue version 2",
          ids: [catalogueId(tenant.cid, "inventory", "z")],
        },
      ]);
      // An older server beside a newer one takes nothing back.
      await provision(first);
      expect(await store.directory.tenantsBehind(2)).toEqual([]);
    });
  });

  test("a tenant whose making was cut off is completed at the next start", async () => {
    await withStore(async ({ store, clock, tenant }) => {
      const parts = { store, clock, catalogue: catalogueOf(["x"], ["y"]) };
      await store.directory.createTenant(tenant);
      expect(await store.directory.tenantsBehind(1)).toEqual([tenant]);
      await provision(parts);
      expect(await namesIn(store, tenant)).toEqual(["x", "y"]);
      const other = { ...tenant, cid: newIdentifier() };
      const broken: CatalogueEntry = {
        resource: hostGroups,
        since: 2,
        records: () => {
          throw new Error("the power is gone");
        },
      };
      const cut = { ...parts, catalogue: [...catalogueOf(["x"]), broken] };
      await expect(createProvisioned(cut, other)).rejects.toThrow("the power is gone");
      expect(await namesIn(store, other)).toEqual(["x"]);
      await provision(parts);
      expect(await namesIn(store, other)).toEqual(["x", "y"]);
      expect(await store.directory.tenantsBehind(2)).toEqual([]);
    });
  });

  test("two servers that start at once give a tenant everything once", async () => {
    await withStore(async ({ store, clock, tenant }) => {
      await store.directory.createTenant(tenant);
      const parts = { store, clock, catalogue: catalogueOf(["x", "y"]) };
      await Promise.all([provision(parts), provision(parts)]);
      expect(await namesIn(store, tenant)).toEqual(["x", "y"]);
    });
  });

  test("the platform's own catalogue goes into new and old tenants", async () => {
    await withStore(async ({ store, clock, tenant }) => {
      await createTenant(store, clock, tenant);
      const bare = { ...tenant, cid: newIdentifier() };
      await store.directory.createTenant(bare);
      expect(await store.directory.tenantsBehind(catalogueVersion)).toEqual([bare]);
      await provisionTenants(store, clock);
      expect(await store.directory.tenantsBehind(catalogueVersion)).toEqual([]);
      for (const resource of resources) {
        const counts = [tenant, bare].map(({ cid }) =>
          store.records(resource, { cid }).count(everything, clock.now()),
        );
        const [made, provisioned] = await Promise.all(counts);
        expect(provisioned, resource.name).toBe(made);
      }
    });
  });
});
