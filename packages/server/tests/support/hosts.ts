import { newIdentifier } from "../../src/foundation/identifiers.ts";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { GroupRules } from "../../src/inventory/group-rules.ts";
import { hostGroups, type HostGroup } from "../../src/inventory/host-groups.ts";
import { hosts, type Host } from "../../src/inventory/hosts.ts";
import { importRecords, type ImportKind, type ImportOptions } from "../../src/imports/index.ts";
import { resources } from "../../src/platform/resources.ts";
import { openStoreAt } from "../../src/host/open-store-at.ts";
import type { Resource, Store, Tenant } from "../../src/store/types/types.ts";
import type { Engine } from "./engines.ts";
import { ManualClock } from "./manual-clock.ts";

const everything = { kind: "everything" } as const;

/** A tenant, and operations of a test on its hosts. */
export interface Fleet {
  readonly store: Store;
  readonly clock: ManualClock;
  readonly cid: string;
  newTenant(parent?: Tenant): Promise<Tenant>;
  import(
    kind: ImportKind,
    lines: readonly object[],
    more?: Partial<ImportOptions>,
  ): ReturnType<typeof importRecords>;
  /** Imports lines and expects that all are accepted. */
  have(kind: ImportKind, lines: readonly object[], more?: Partial<ImportOptions>): Promise<void>;
  host(id: string, cid?: string): Promise<Host | undefined>;
  group(id: string): Promise<HostGroup | undefined>;
  /** The hosts of a group, by name. */
  members(groupId: string): Promise<readonly string[]>;
  /** The groups of every host match the members of the groups. */
  consistent(): Promise<void>;
}

/** One store for a suite; each call opens a fleet, whose tenant no other test sees. */
export function fleetSuite(engine: Engine): () => Promise<Fleet> {
  const clock = new ManualClock();
  let store: Store | undefined;
  beforeAll(async () => {
    store = await openStoreAt({ url: await engine.url(), clock, resources, durable: false });
  });
  afterAll(() => store?.close());
  return () => {
    if (store === undefined) throw new Error("open a fleet inside a test");
    return openFleet(store, clock);
  };
}

/** A fleet in a store with these kinds of records. */
export async function fleetOf(engine: Engine, kinds: readonly Resource[]): Promise<Fleet> {
  const clock = new ManualClock();
  const url = await engine.url();
  const store = await openStoreAt({ url, clock, resources: kinds, durable: false });
  onTestFinished(() => store.close());
  return openFleet(store, clock);
}

async function openFleet(store: Store, clock: ManualClock): Promise<Fleet> {
  let created = 0;
  const newTenant: Fleet["newTenant"] = async (parent) => {
    created += 1;
    const tenant = {
      cid: newIdentifier(),
      name: `tenant ${created}`,
      parent_cid: parent?.cid ?? null,
      created_at: clock.now().toISOString(),
    };
    await store.directory.createTenant(tenant);
    return tenant;
  };
  const { cid } = await newTenant();
  const load: Fleet["import"] = (kind, lines, more = {}) => {
    const texts = lines.map((line) => JSON.stringify(line));
    return importRecords(store, { cid, kind, clock, lines: texts, ...more });
  };
  return {
    store,
    clock,
    cid,
    newTenant,
    import: load,
    have: async (kind, lines, more) => {
      expect(await load(kind, lines, more)).toMatchObject({ rejected: 0, problems: [] });
    },
    host: async (id, of = cid) =>
      (await store.records(hosts, { cid: of }).getComplete([id], clock.now())).get(id),
    group: async (id) =>
      (await store.records(hostGroups, { cid }).getComplete([id], clock.now())).get(id),
    members: async (id) => {
      const inGroup = { kind: "equal", field: "groups", value: id, fold: false } as const;
      const names: string[] = [];
      for await (const part of store.records(hosts, { cid }).scanComplete(inGroup, clock.now())) {
        names.push(...part.map(({ hostname = "" }) => hostname));
      }
      return names.toSorted();
    },
    consistent: async () => {
      const now = clock.now();
      await store.write(cid, async (transaction) => {
        const rules = await GroupRules.load(transaction, now);
        for await (const part of transaction.records(hosts).scanComplete(everything, now)) {
          expect(await rules.changed(part)).toEqual([]);
        }
      });
    },
  };
}

export const deviceId = (number: number): string => number.toString(16).padStart(32, "0");
export const groupId = (letter: string): string => letter.repeat(32);

/** A host with the members that matter to the test. */
export const host = (number: number, more: Partial<Host> = {}): Partial<Host> => ({
  device_id: deviceId(number),
  hostname: `HOST-${number}`,
  platform_name: "Windows",
  ...more,
});

export const dynamic = (letter: string, assignment_rule: string): object => ({
  id: groupId(letter),
  name: `group ${letter}`,
  group_type: "dynamic",
  assignment_rule,
});

export const byId = (letter: string, ...numbers: readonly number[]): object => ({
  id: groupId(letter),
  name: `group ${letter}`,
  group_type: "staticByID",
  device_ids: numbers.map(deviceId),
});

export const byName = (letter: string, ...hostnames: readonly string[]): object => ({
  id: groupId(letter),
  name: `group ${letter}`,
  group_type: "static",
  hostnames,
});
