import type { BlobStore } from "../blobs/blob-store.ts";
import { createTenant } from "../catalogue/index.ts";
import type { Clock } from "../foundation/clock.ts";
import type { Store, Tenant } from "../store/index.ts";
import { downloadCount } from "./downloads.ts";
import { fillCases } from "./fill-cases.ts";
import { fillDownloads } from "./fill-downloads.ts";
import { fillExecutions } from "./fill-executions.ts";
import { fillHosts } from "./fill-hosts.ts";
import { fillImages } from "./fill-images.ts";
import { fillStory, storyCases, storyExecutionCount, storyIndicators } from "./fill-story.ts";
import { fillIndicators } from "./fill-indicators.ts";
import { fillIdentities, identityCounts } from "./fill-identities.ts";
import type { Count } from "./filling.ts";
import { hostGroupCount } from "./host-groups.ts";
import { days, instant, startOfDay, startOfMinute } from "./instants.ts";
import { asDocumented, otherThanDocumented } from "./known-ids.ts";
import { Random } from "./random.ts";
import { seedUsers, usersOf } from "./users.ts";
import { worldPlans, type TenantPlan, type World, type WorldPlan } from "./worlds.ts";

/** Number of records from which seeding updates the database's statistics for the planner. */
const manyRecords = 5_000;

export { storyHostFiles } from "./story-host-files.ts";
export { worldClient } from "./world-client.ts";
export { worlds, type World } from "./worlds.ts";

export interface SeedOptions {
  readonly world: World;
  /** The same seed generates the same world on the same day. */
  readonly seed: number;
  readonly clock: Clock;
  /** Where files are stored; absent: the world has none. */
  readonly blobs?: BlobStore;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

/** Number of records of each kind, including those of an earlier call. */
export interface SeededCounts {
  readonly hosts: number;
  readonly host_groups: number;
  readonly indicators: number;
  readonly executions: number;
  readonly downloads: number;
  readonly sensors: number;
  readonly identities: number;
  readonly identity_events: number;
  readonly cases: number;
  /** Alerts and events. */
  readonly case_evidence: number;
  readonly case_files: number;
  /** Scanned images. */
  readonly images: number;
}

export interface SeededWorld extends SeededCounts {
  /** The tenant that a newcomer should look at first. */
  readonly cid: string;
  readonly tenants: readonly Tenant[];
  readonly users: number;
}

type Kind = keyof SeededCounts;

/**
 * Fills the store with a generated world. Records of an earlier call with the same seed stay
 * unchanged.
 */
export async function seedWorld(store: Store, options: SeedOptions): Promise<SeededWorld> {
  const { world, seed, clock, onProgress } = options;
  const plan = worldPlans[world];
  const base = startOfDay(clock.now());
  const now = startOfMinute(clock.now());
  const isDocumented = world === "small" && seed === 1;
  const counts: Record<Kind, number> = {
    hosts: 0,
    host_groups: 0,
    indicators: 0,
    executions: 0,
    downloads: 0,
    sensors: 0,
    identities: 0,
    identity_events: 0,
    cases: 0,
    case_evidence: 0,
    case_files: 0,
    images: 0,
  };
  const blobs = plan.downloads ? options.blobs : undefined;
  const files = blobs === undefined ? 0 : downloadCount;
  const total = plan.tenants.reduce(
    (sum, tenant) =>
      sum + plannedRecords(tenant) + files + (blobs === undefined ? 0 : tenant.images),
    // The documented tenant inherits one indicator more.
    isDocumented ? 1 : 0,
  );
  let done = 0;
  const count =
    (kind: Kind): Count =>
    (records) => {
      counts[kind] += records;
      done += records;
      onProgress?.({ done, total });
    };
  const tenants = makeTenants(plan.tenants, { world, seed, base, isDocumented });
  const main = tenants[plan.main];
  if (main === undefined) throw new Error(`the world ${world} has no main tenant`);
  const existing = new Set<Tenant>();
  for (const tenant of tenants) {
    if ((await store.directory.tenant(tenant.cid)) !== null) existing.add(tenant);
    else await createTenant(store, { now: () => new Date(tenant.created_at) }, tenant);
  }
  const stories = new Set(
    tenants.filter((_, index) => plan.tenants[index]?.story).map(({ cid }) => cid),
  );
  const userOptions = { tenants, main, purpose: world, seed, base, now, stories, isDocumented };
  const userCount = await seedUsers(store, userOptions);
  for (const [index, tenant] of tenants.entries()) {
    const tenantPlan = plan.tenants[index];
    if (tenantPlan === undefined) continue;
    const existed = existing.has(tenant);
    const purpose = `${world}/${index}`;
    const known = isDocumented && tenantPlan.story ? asDocumented : otherThanDocumented(tenant.cid);
    const users = usersOf(tenant, tenant.cid, userOptions);
    const siteOffset = siteOffsetOf(plan, index);
    const facts = { store, tenant, plan: tenantPlan, purpose, seed, base, now, siteOffset };
    const filling = { ...facts, users, existed, known };
    await fillHosts(filling, count("host_groups"), count("hosts"));
    await fillIndicators(filling, count("indicators"));
    await fillExecutions(filling, count("executions"));
    await fillIdentities(filling, users, {
      // The number of domain controllers is not known in advance.
      sensors: (records) => (counts.sensors += records),
      identities: count("identities"),
      events: count("identity_events"),
    });
    const work = await fillCases(filling, users, blobs, {
      cases: count("cases"),
      // How many there are is not known in advance.
      evidence: (records) => (counts.case_evidence += records),
      files: (records) => (counts.case_files += records),
    });
    if (blobs !== undefined) {
      await fillDownloads(filling, blobs, count("downloads"));
      await fillImages(filling, blobs, count("images"));
    }
    if (tenantPlan.story) {
      await fillStory(filling, users, blobs, work, {
        cases: count("cases"),
        evidence: (records) => (counts.case_evidence += records),
        executions: count("executions"),
        indicators: count("indicators"),
        files: (records) => (counts.case_files += records),
      });
    }
  }
  if (counts.indicators + counts.hosts >= manyRecords) await store.analyze();
  return { cid: main.cid, tenants, ...counts, users: userCount };
}

/** The main tenant has the first sites of the list, and each other tenant has sites of its own. */
function siteOffsetOf({ main, tenants }: WorldPlan, index: number): number {
  const most = Math.max(...tenants.map(({ sites }) => sites));
  return ((index - main + tenants.length) % tenants.length) * most;
}

function plannedRecords({
  hosts,
  sites,
  indicators,
  executions,
  cases,
  story,
}: TenantPlan): number {
  const { identities, identity_events } = identityCounts(hosts);
  const inventoryCount = hosts + hostGroupCount(sites) + indicators + executions;
  const told = story ? storyCases + storyExecutionCount + storyIndicators : 0;
  return inventoryCount + identities + identity_events + cases + told;
}

interface MakingTenants {
  readonly world: World;
  readonly seed: number;
  readonly base: number;
  readonly isDocumented: boolean;
}

function makeTenants(
  plans: readonly TenantPlan[],
  { world, seed, base, isDocumented }: MakingTenants,
): readonly Tenant[] {
  const random = new Random(seed, `${world}/tenants`);
  const cids = plans.map(({ knownCid }) => {
    const drawn = random.hex(32);
    return (isDocumented ? knownCid : undefined) ?? drawn;
  });
  return plans.map(({ name, parent }, index) => ({
    cid: cids[index] ?? "",
    name,
    parent_cid: parent === null ? null : (cids[parent] ?? null),
    created_at: instant(base - days(365)),
  }));
}
