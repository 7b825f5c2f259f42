import { lowerFilter, parseFilter, parseSort, type Predicate } from "@security-platform/fql";
import { onTestFinished } from "vitest";
import { openStoreAt } from "../../src/host/open-store-at.ts";
import type { Page, PageQuery, Position, Resource, Store } from "../../src/store/types/types.ts";
import type { Engine } from "./engines.ts";
import { testKeys } from "./secret-keys.ts";
import { ManualClock } from "./manual-clock.ts";
import { sightingFields, sightings } from "./sightings.ts";

export const now = new Date("2026-03-01T12:00:00Z");
export const later = (milliseconds: number): Date => new Date(now.getTime() + milliseconds);

/** A parent, its child, and an unrelated tenant. */
export const parent = "a".repeat(32);
export const child = "b".repeat(32);
export const stranger = "c".repeat(32);

export interface TestStore {
  readonly store: Store;
  readonly url: string;
  readonly clock: ManualClock;
}

/** A store with three tenants, closed after the test. Default: a store of sightings. */
export async function newStore(
  engine: Pick<Engine, "emptyUrl"> & Partial<Pick<Engine, "filledUrl">>,
  resources: readonly Resource[] = [sightings],
): Promise<TestStore> {
  const fill = async (url: string): Promise<void> => {
    const { store } = await open(url, resources);
    await createTenants(store);
    await store.close();
  };
  const filled = await engine.filledUrl?.(nameOf(resources), fill);
  const url = filled ?? (await engine.emptyUrl());
  const { store, clock } = await open(url, resources);
  onTestFinished(() => store.close());
  if (filled === undefined) await createTenants(store);
  return { store, url, clock };
}

/** Resources of several tests may have the same name, but not the same columns. */
const numbers = new Map<Resource, number>();

/** The same for the same resources only. */
function nameOf(resources: readonly Resource[]): string {
  for (const each of resources) if (!numbers.has(each)) numbers.set(each, numbers.size);
  return resources.map((each) => numbers.get(each)).join(" ");
}

async function open(url: string, resources: readonly Resource[]) {
  const clock = new ManualClock(now.toISOString());
  const store = await openStoreAt({ url, clock, resources, keys: testKeys, durable: false });
  return { store, clock };
}

export async function createTenants({ directory }: Store): Promise<void> {
  const created_at = now.toISOString();
  await directory.createTenant({ cid: parent, name: "parent", parent_cid: null, created_at });
  await directory.createTenant({ cid: child, name: "child", parent_cid: parent, created_at });
  await directory.createTenant({ cid: stranger, name: "stranger", parent_cid: null, created_at });
}

export const filterOf = (text: string): Predicate =>
  lowerFilter(parseFilter(text), sightingFields, now);

export const queryOf = (
  filter: string,
  { sort = "", ...rest }: Partial<Omit<PageQuery, "sort" | "predicate">> & { sort?: string } = {},
): PageQuery => ({
  predicate: filterOf(filter),
  sort: parseSort(sort, sightingFields),
  limit: 100,
  shape: "ids",
  now,
  ...rest,
});

interface Paged {
  page(query: PageQuery): Promise<Page>;
}

/** Every page one after the other, by keyset; `between` runs after each. */
export async function everyPage(
  records: Paged,
  query: PageQuery,
  between: () => Promise<void> = async () => undefined,
): Promise<readonly string[]> {
  const items: string[] = [];
  let after: Position | undefined;
  do {
    const page = await records.page({ ...query, ...(after && { after }) });
    items.push(...page.items);
    after = page.next;
    if (after !== undefined) await between();
  } while (after !== undefined);
  return items;
}
