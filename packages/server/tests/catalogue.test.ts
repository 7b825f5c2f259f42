import { newIdentifier } from "../src/foundation/identifiers.ts";
import { expect, test } from "vitest";
import { catalogueId, type Catalogue, type TenantEntry } from "../src/catalogue/entries.ts";
import { knownAdvisories } from "../src/catalogue/advisories/index.ts";
import { createTenant, provisionTenants } from "../src/catalogue/index.ts";
import { createProvisioned, provision } from "../src/catalogue/provision.ts";
import type { Advisory } from "../src/domain/container/advisories/advisories.ts";
import { webLocationGroups, type WebLocationGroup } from "../src/domain/data-protection/kinds.ts";
import { hostGroup, hostGroups, type HostGroup } from "../src/inventory/host-groups.ts";
import { resources } from "../src/platform/resources.ts";
import { platformCid, type Store, type Tenant } from "../src/store/types/types.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import { forEachEngine } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";

const everything = { kind: "everything" } as const;

/** A catalogue whose versions add host groups with these names. */
const catalogueOf = (...versions: readonly (readonly string[])[]): Catalogue => ({
  shared: [],
  sharedSince: 1,
  tenants: versions.map((names, index): TenantEntry<HostGroup> => ({
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
  })),
});

/** The object with another value of one member. */
const withMember = <Of extends object, Name extends keyof Of>(
  of: Of,
  name: Name,
  value: Of[Name],
) =>
  new Proxy(of, {
    get: (target, key) => {
      if (key === name) return value;
      const member: unknown = Reflect.get(target, key, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });

forEachEngine((engine) => {
  const withStore = async (
    work: (parts: { store: Store; clock: ManualClock; tenant: Tenant }) => Promise<void>,
  ) => {
    const clock = new ManualClock();
    const store = await openStoreAt({
      url: await engine.bareUrl(),
      clock,
      resources,
      durable: false,
    });
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
    for await (const part of store
      .records(hostGroups, { cid })
      .scanComplete(everything, new Date())) {
      names.push(...part.map(({ name }) => name));
    }
    return names.toSorted();
  };

  test("a new tenant has all records of the catalogue, with the same ids everywhere", async () => {
    await withStore(async ({ store, clock, tenant }) => {
      await createProvisioned({ store, clock, catalogue: catalogueOf(["x"], ["y"]) }, tenant);
      expect(await namesIn(store, tenant)).toEqual(["x", "y"]);
      expect(await store.directory.tenantsBehind(2)).toEqual([]);
      const groups = await store
        .records(hostGroups, { cid: tenant.cid })
        .get([catalogueId(tenant.cid, "inventory", "x")], clock.now());
      expect(groups.size).toBe(1);
    });
  });

  test("a newer catalogue adds new records, and keeps records that were changed or deleted", async () => {
    await withStore(async ({ store, clock, tenant }) => {
      const [kept, removed] = [
        catalogueId(tenant.cid, "inventory", "x"),
        catalogueId(tenant.cid, "inventory", "y"),
      ];
      const first = { store, clock, catalogue: catalogueOf(["x", "y"]) };
      await createProvisioned(first, tenant);
      await store.write(tenant.cid, async (transaction) => {
        const groups = transaction.records(hostGroups);
        const x = (await groups.getForUpdate([kept])).get(kept);
        if (x === undefined) throw new Error("of the catalogue");
        await groups.replace([{ ...x, name: "renamed" }], clock.now());
        await groups.remove([removed], clock.now());
      });
      await provision(first);
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
      // An older server beside a newer one does not revert changes.
      await provision(first);
      expect(await store.directory.tenantsBehind(2)).toEqual([]);
    });
  });

  test("a tenant whose creation was interrupted is completed at the next start", async () => {
    await withStore(async ({ store, clock, tenant }) => {
      const parts = { store, clock, catalogue: catalogueOf(["x"], ["y"]) };
      await store.directory.createTenant(tenant);
      expect(await store.directory.tenantsBehind(1)).toMatchObject([tenant]);
      await provision(parts);
      expect(await namesIn(store, tenant)).toEqual(["x", "y"]);
      expect(await store.directory.tenantsBehind(2)).toEqual([]);
    });
  });

  test("a start completes all tenants, however many", async () => {
    await withStore(async ({ store, clock, tenant }) => {
      const tenants = Array.from({ length: 17 }, () => ({ ...tenant, cid: newIdentifier() }));
      for (const each of tenants) await store.directory.createTenant(each);
      await provision({ store, clock, catalogue: catalogueOf(["x"]) });
      expect(await store.directory.tenantsBehind(1)).toEqual([]);
      for (const each of tenants) expect(await namesIn(store, each)).toEqual(["x"]);
    });
  });

  test("a tenant is created with all of the catalogue, or not at all", async () => {
    await withStore(async ({ store, clock, tenant }) => {
      const broken: TenantEntry = {
        resource: hostGroups,
        since: 2,
        records: () => {
          throw new Error("the power is gone");
        },
      };
      const whole = catalogueOf(["x"]);
      const cut = { store, clock, catalogue: { ...whole, tenants: [...whole.tenants, broken] } };
      await expect(createProvisioned(cut, tenant)).rejects.toThrow("the power is gone");
      expect(await store.directory.tenant(tenant.cid)).toBeNull();
      await createProvisioned({ store, clock, catalogue: whole }, tenant);
      expect(await namesIn(store, tenant)).toEqual(["x"]);
    });
  });

  const groupOf = (name: string, description = ""): WebLocationGroup => ({
    id: catalogueId("shared", "test", name),
    name,
    description,
    type: "predefined",
    web_location_ids: [],
    deleted: false,
    created: "2026-01-01T00:00:00.000Z",
    last_updated: "2026-01-01T00:00:00.000Z",
  });
  const { resource: groups } = webLocationGroups;
  const sharing = (sharedSince: number, ...records: readonly WebLocationGroup[]): Catalogue => ({
    tenants: [],
    shared: [
      {
        resource: groups,
        records: () => records,
        isChanged: (copy, shared) =>
          (copy as WebLocationGroup).description !== (shared as WebLocationGroup).description,
      },
    ],
    sharedSince,
  });
  const groupsIn = async (store: Store, { cid }: Tenant) => {
    const all: WebLocationGroup[] = [];
    for await (const part of store.records(groups, { cid }).scanComplete(everything, new Date())) {
      all.push(...part);
    }
    return all.map(({ name, description }) => `${name} ${description}`.trim()).toSorted();
  };

  test("a newer imported advisory stays, and an older one is replaced by the catalogue's", async () => {
    await withStore(async ({ store, clock }) => {
      const { resource } = knownAdvisories;
      const [first] = knownAdvisories.records();
      if (first === undefined) throw new Error("the catalogue has advisories");
      const catalogue = (...records: readonly Advisory[]): Catalogue => ({
        tenants: [],
        shared: [{ ...knownAdvisories, records: () => records }],
        sharedSince: 1,
      });
      const stored = async () =>
        (
          await store.records(resource, { cid: platformCid }).getComplete([first.id], clock.now())
        ).get(first.id);
      await provision({ store, clock, catalogue: catalogue(first) });
      expect(await stored()).toEqual(first);
      const revised = { ...first, summary: "revised" };
      await provision({ store, clock, catalogue: catalogue(revised) });
      expect(await stored()).toEqual(revised);
      const imported = { ...first, database_specific: {}, summary: "imported" };
      await store.write(platformCid, (transaction) =>
        transaction.records(resource).put([imported], clock.now()),
      );
      await provision({
        store,
        clock,
        catalogue: catalogue({ ...first, summary: "revised again" }),
      });
      expect(await stored()).toEqual(imported);
      const later = { ...first, modified: "2030-01-01T00:00:00Z" };
      await provision({ store, clock, catalogue: catalogue(later) });
      expect(await stored()).toEqual(later);
    });
  });

  test("shared records are stored once, with the text of the newest catalogue", async () => {
    await withStore(async ({ store, clock, tenant }) => {
      const first = sharing(1, groupOf("x"), groupOf("y"));
      await createProvisioned({ store, clock, catalogue: first }, tenant);
      const other = { ...tenant, cid: newIdentifier() };
      await createProvisioned({ store, clock, catalogue: first }, other);
      expect([await groupsIn(store, tenant), await groupsIn(store, other)]).toEqual([
        ["x", "y"],
        ["x", "y"],
      ]);
      expect(await store.records(groups, { cid: platformCid }).count(everything, clock.now())).toBe(
        2,
      );
      const reworded = sharing(1, groupOf("x", "new"), groupOf("y"), groupOf("z"));
      await provision({ store, clock, catalogue: reworded });
      expect(await groupsIn(store, tenant)).toEqual(["x new", "y", "z"]);
      const entries = await store.directory.auditEntries({ cid: platformCid, limit: 9 });
      expect(entries.map(({ ids }) => ids)).toEqual([
        [groupOf("x").id, groupOf("z").id],
        [groupOf("x").id, groupOf("y").id],
      ]);
      // An older server beside a newer one does not revert changes.
      await provision({ store, clock, catalogue: sharing(2, groupOf("x", "newer")) });
      await provision({ store, clock, catalogue: reworded });
      expect(await groupsIn(store, tenant)).toEqual(["x newer", "y", "z"]);
    });
  });

  test("an older server that starts at the same time as a newer one keeps its shared records", () =>
    withStore(async ({ store, clock, tenant }) => {
      const newer = sharing(2, groupOf("x", "newer"));
      await createProvisioned({ store, clock, catalogue: newer }, tenant);
      // It has read the version before the newer one stored its records.
      const directory = withMember(store.directory, "setting", async () => "0 none");
      const older = sharing(1, groupOf("x"), groupOf("y"));
      const beside = withMember(store, "directory", directory);
      await provision({ store: beside, clock, catalogue: older });
      expect(await groupsIn(store, tenant)).toEqual(["x newer"]);
      await provision({ store, clock, catalogue: older });
      expect(await groupsIn(store, tenant)).toEqual(["x newer"]);
      expect(await store.directory.auditEntries({ cid: platformCid, limit: 9 })).toHaveLength(1);
    }));

  test("shared records replace the tenants' copies, unless these were changed", async () => {
    await withStore(async ({ store, clock, tenant }) => {
      const { created_at } = tenant;
      await store.directory.createTenant(tenant);
      await store.write(tenant.cid, async (transaction) => {
        await transaction.raiseCatalogue(2);
        const own = { ...groupOf("own"), type: "custom" as const, created: created_at };
        await transaction
          .records(groups)
          .put([groupOf("x"), groupOf("y", "changed"), own], clock.now());
      });
      const catalogue = sharing(3, groupOf("x"), groupOf("y"), groupOf("OWN"));
      await provision({ store, clock, catalogue });
      expect(await groupsIn(store, tenant)).toEqual(["own", "x", "y changed"]);
      const rows = await rowsOf(store, tenant);
      expect(rows).toEqual(["own", "y"]);
      expect(await store.directory.tenantsBehind(3)).toEqual([]);
    });
  });

  test("a start brings a newer catalogue to many tenants, and ends with those it began if one fails", () =>
    withStore(async ({ store, clock, tenant }) => {
      const cids = Array.from({ length: 20 }, newIdentifier).toSorted();
      const tenants = cids.map((cid) => ({ ...tenant, cid }));
      const old = catalogueOf(["first"]);
      for (const each of tenants) await createProvisioned({ store, clock, catalogue: old }, each);
      const catalogue = catalogueOf(["first"], ["second"]);
      const failing = catalogue.tenants.map((entry) => ({
        ...entry,
        records: (of: Tenant, now: Date) => {
          if (of.cid === cids[7]) throw new Error("refused");
          return entry.records(of, now);
        },
      }));
      const broken = { ...catalogue, tenants: failing };
      await expect(provision({ store, clock, catalogue: broken })).rejects.toThrow("refused");
      const behind = await store.directory.tenantsBehind(2);
      expect(behind.map(({ cid }) => cid)).toEqual([cids[7], ...cids.slice(16)]);
      await provision({ store, clock, catalogue });
      for (const each of tenants) expect(await namesIn(store, each)).toEqual(["first", "second"]);
      expect(await store.directory.tenantsBehind(2)).toEqual([]);
    }));

  test("two servers that start at the same time add everything to a tenant once", async () => {
    await withStore(async ({ store, clock, tenant }) => {
      await store.directory.createTenant(tenant);
      const parts = { store, clock, catalogue: catalogueOf(["x", "y"]) };
      await Promise.all([provision(parts), provision(parts)]);
      expect(await namesIn(store, tenant)).toEqual(["x", "y"]);
    });
  });

  test("a server that comes later to a tenant than another one leaves deleted records deleted", async () => {
    await withStore(async ({ store, clock, tenant }) => {
      await store.directory.createTenant(tenant);
      const catalogue = catalogueOf(["x", "y"]);
      await provision({ store, clock, catalogue });
      await store.write(tenant.cid, async (transaction) => {
        const id = catalogueId(tenant.cid, "inventory", "x");
        await transaction.records(hostGroups).remove([id], clock.now());
      });
      // It has read which tenants are behind before the other one came to this tenant.
      const directory = withMember(store.directory, "tenantsBehind", async () => [tenant]);
      await provision({ store: withMember(store, "directory", directory), clock, catalogue });
      expect(await namesIn(store, tenant)).toEqual(["y"]);
      expect(await store.directory.auditEntries({ cid: tenant.cid, limit: 9 })).toHaveLength(1);
    });
  });

  /** Names of the groups in the tenant's own rows. */
  const rowsOf = async (store: Store, { cid }: Tenant): Promise<readonly string[]> => {
    const own = { ...groups, visibility: { sources: ["own"] } } as const;
    const names: string[] = [];
    for await (const part of store.records(own, { cid }).scanComplete(everything, new Date())) {
      names.push(...part.map(({ name }) => name));
    }
    return names.toSorted();
  };

  test("the platform's own catalogue is added to new and existing tenants", async () => {
    await withStore(async ({ store, clock, tenant }) => {
      await createTenant(store, clock, tenant);
      const bare = { ...tenant, cid: newIdentifier() };
      await store.directory.createTenant(bare);
      const behind = async (version: number) => {
        const tenants = await store.directory.tenantsBehind(version);
        return tenants.map(({ cid }) => cid);
      };
      let newest = 1;
      while (!(await behind(newest + 1)).includes(tenant.cid)) newest += 1;
      expect(await behind(newest)).toEqual([bare.cid]);
      await provisionTenants(store, clock);
      expect(await behind(newest)).toEqual([]);
      for (const resource of resources) {
        const counts = [tenant, bare].map(({ cid }) => {
          // Access tags decide who sees cases.
          const reader = { cid, heldAccessTags: "all" };
          return store.records(resource, reader).count(everything, clock.now());
        });
        const [added, provisioned] = await Promise.all(counts);
        expect(provisioned, resource.name).toBe(added);
      }
    });
  });
});
