import type {
  Controls,
  FaultRule,
  ImportKind,
  RequestFilter,
  World,
} from "@security-platform/server/portable";
import { instantOf, seedBuilders, type SeedBuilders } from "@security-platform/testing/portable";

interface Controlled {
  readonly platform: { readonly controls: Controls };
  /** The tenant of records without another one. */
  readonly cid: string;
}

/** What a page calls by name, once for each platform. Parameters and results can be cloned. */
export const membersOf = ({ platform: { controls }, cid: home }: Controlled) => {
  const builders = seedBuilders(
    async (importKind, added, tenant = home) => {
      await controls.seedRecords(importKind, added, tenant);
    },
    () => controls.clock.now(),
  );
  return {
    now: () => controls.clock.now(),
    advance: (duration: number | string) => controls.advance(duration),
    advanceTo: (instant: Date | string) => controls.advanceTo(instantOf(instant, "instant")),
    runJobs: () => controls.runJobs(),
    reset: () => controls.reset(),
    snapshot: () => controls.takeSnapshot(),
    restore: (snapshot: number) => controls.restore(snapshot),
    dropSnapshot: (snapshot: number) => controls.dropSnapshot(snapshot),
    listRequests: (filter?: RequestFilter) => controls.requests.list(filter),
    clearRequests: () => controls.requests.clear(),
    addFault: (rule: FaultRule) => controls.faults.add(rule),
    listFaults: () => controls.faults.list(),
    removeFault: (id: number) => controls.faults.remove(id),
    clearFaults: () => controls.faults.clear(),
    seedWorld: (world: World, seed?: number) => controls.seedWorld(world, seed),
    seedRecords: async (
      kind: ImportKind,
      records: readonly object[],
      cid: string,
    ): Promise<void> => {
      await controls.seedRecords(kind, records, cid);
    },
    build: (
      kind: keyof SeedBuilders,
      records: number | readonly object[],
      options?: { readonly cid?: string },
    ): Promise<readonly object[]> => {
      const build = builders[kind] as (
        ...parameters: readonly unknown[]
      ) => Promise<readonly object[]>;
      return build(records, options);
    },
    createTenant: (name: string, parentCid?: string) => controls.createTenant(name, parentCid),
    createClient: (cid: string) => controls.createClient(cid),
    worldClient: (cid: string) => controls.worldClient(cid),
  };
};

export type Members = ReturnType<typeof membersOf>;
