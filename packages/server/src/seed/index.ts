import { createTenant } from "../catalogue/index.ts";
import type { Clock } from "../clock.ts";
import { executions } from "../domain/ioc/executions.ts";
import { indicators, type Indicator } from "../domain/ioc/indicators.ts";
import type { Resource, Store, Tenant } from "../store/types.ts";
import { seededExecution, sightingsOf } from "./executions.ts";
import { seededIndicator } from "./indicators.ts";
import { days, instant, startOfDay } from "./instants.ts";
import { Random } from "./random.ts";
import { seedUsers } from "./users.ts";
import { worldPlans, type TenantPlan, type World } from "./worlds.ts";

export { worlds, type World } from "./worlds.ts";

export interface SeedOptions {
  readonly world: World;
  /** The same number makes the same world, on the same day. */
  readonly seed: number;
  readonly clock: Clock;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

export interface SeededWorld {
  /** The tenant to look at first. */
  readonly cid: string;
  readonly tenants: readonly Tenant[];
  /** How many of each the world has, those made by an earlier call included. */
  readonly indicators: number;
  readonly executions: number;
  readonly users: number;
}

const batch = 10_000;

/** Fills the store with a generated world. What an earlier call with the same seed made is left alone. */
export async function seedWorld(store: Store, options: SeedOptions): Promise<SeededWorld> {
  const { world, seed, clock, onProgress } = options;
  const plan = worldPlans[world];
  const base = startOfDay(clock.now());
  const made = { indicators: 0, executions: 0 };
  const total = plan.tenants.reduce(
    (sum, tenant) => sum + tenant.indicators + tenant.executions,
    0,
  );
  const tenants = makeTenants(plan.tenants, world, seed, base);
  const count = (kind: "indicators" | "executions") => (records: number) => {
    made[kind] += records;
    onProgress?.({ done: made.indicators + made.executions, total });
  };
  for (const [index, tenant] of tenants.entries()) {
    const tenantPlan = plan.tenants[index];
    if (tenantPlan === undefined) continue;
    const known = (await store.directory.tenant(tenant.cid)) !== null;
    if (!known) await createTenant(store, { now: () => new Date(tenant.created_at) }, tenant);
    const filling = {
      store,
      tenant,
      plan: tenantPlan,
      purpose: `${world}/${index}`,
      seed,
      base,
      known,
    };
    await fillIndicators(filling, count("indicators"));
    await fillExecutions(filling, count("executions"));
  }
  const main = tenants[plan.main];
  if (main === undefined) throw new Error(`the world ${world} has no main tenant`);
  const users = await seedUsers(store, { tenants, main, purpose: world, seed, base });
  return { cid: main.cid, tenants, ...made, users };
}

function makeTenants(
  plans: readonly TenantPlan[],
  world: World,
  seed: number,
  base: number,
): readonly Tenant[] {
  const random = new Random(seed, `${world}/tenants`);
  const cids = plans.map(() => random.hex(32));
  return plans.map(({ name, parent }, index) => ({
    cid: cids[index] ?? "",
    name,
    parent_cid: parent === null ? null : (cids[parent] ?? null),
    created_at: instant(base - days(365)),
  }));
}

interface Filling {
  readonly store: Store;
  readonly tenant: Tenant;
  readonly plan: TenantPlan;
  /** Names the tenant's random sequences. */
  readonly purpose: string;
  readonly seed: number;
  readonly base: number;
  /** The tenant was there before, and so may be some of its records. */
  readonly known: boolean;
}

/** The last of them are deleted again, so that there is something to see for `deleted:true`. */
async function fillIndicators(filling: Filling, count: (records: number) => void): Promise<void> {
  const { plan } = filling;
  const live = plan.indicators - plan.deleted;
  await insertAll(filling, indicators, take(indicatorsOf(filling), 0, live), count);
  const deleted = [...take(indicatorsOf(filling), live, plan.indicators)];
  await insertDeleted(filling, deleted);
  count(deleted.length);
}

async function fillExecutions(filling: Filling, count: (records: number) => void): Promise<void> {
  const { plan, seed, purpose, base } = filling;
  const devices = new Random(seed, `${purpose}/devices`);
  const ids = Array.from({ length: plan.devices }, () => devices.hex(32));
  const sightings = sightingsOf(take(indicatorsOf(filling), 0, Math.min(plan.indicators, 2_000)));
  const random = new Random(seed, `${purpose}/executions`);
  function* made() {
    for (let index = 0; index < plan.executions; index += 1) {
      yield seededExecution(random, index, base, ids, sightings);
    }
  }
  await insertAll(filling, executions, made(), count);
}

function* indicatorsOf({ plan, seed, purpose, base }: Filling): Generator<Indicator> {
  const groups = new Random(seed, `${purpose}/host-groups`);
  const hostGroups = [groups.hex(32), groups.hex(32), groups.hex(32), groups.hex(32)] as const;
  const random = new Random(seed, `${purpose}/indicators`);
  for (let index = 0; index < plan.indicators; index += 1) {
    yield seededIndicator(random, index, base, hostGroups);
  }
}

function* take<Item>(items: Iterable<Item>, from: number, to: number): Generator<Item> {
  let index = 0;
  for (const item of items) {
    if (index >= to) return;
    if (index >= from) yield item;
    index += 1;
  }
}

async function insertAll<Record extends { readonly id: string }>(
  filling: Filling,
  resource: Resource<Record>,
  records: Iterable<Record>,
  count: (records: number) => void,
): Promise<void> {
  let part: Record[] = [];
  const flush = async () => {
    if (part.length > 0) await insertNew(filling, resource, part);
    count(part.length);
    part = [];
  };
  for (const record of records) {
    part.push(record);
    if (part.length >= batch) await flush();
  }
  await flush();
}

async function insertNew<Record extends { readonly id: string }>(
  { store, tenant, base, known }: Filling,
  resource: Resource<Record>,
  records: readonly Record[],
): Promise<void> {
  const now = new Date(base);
  await store.write(tenant.cid, async (transaction) => {
    const writable = transaction.records(resource);
    const there = known ? await writable.take(records.map(({ id }) => id)) : new Map();
    const fresh = records.filter(({ id }) => !there.has(id));
    if (fresh.length > 0) await writable.insert(fresh, now);
  });
}

async function insertDeleted(
  { store, tenant, base, known }: Filling,
  records: readonly Indicator[],
): Promise<void> {
  const now = new Date(base);
  const deleted = { kind: "equal", field: "deleted", value: true, fold: false } as const;
  await store.write(tenant.cid, async (transaction) => {
    const writable = transaction.records(indicators);
    if (known && (await writable.count(deleted, now)) > 0) return;
    await writable.insert(records, now);
    await writable.remove(
      records.map(({ id }) => id),
      now,
    );
  });
}
