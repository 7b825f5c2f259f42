import { where } from "@security-platform/fql";
import { LRUCache } from "lru-cache";
import { readForAll } from "../foundation/caller-abort.ts";
import { perStore, type Store } from "../store/index.ts";
import { hosts } from "./hosts.ts";

/** Maximum number of distinct memberships; a longer list saves nothing. */
const ceiling = 5_000;
const tenantsKept = 100;

interface CacheEntry {
  readonly revision: string;
  readonly memberships: readonly string[] | null;
}

/** Memberships by tenant. */
const cacheOf = perStore(() => new LRUCache<string, CacheEntry>({ max: tenantsKept }));

/**
 * The distinct memberships of a tenant's hosts; null if there are too many. Cached until the hosts
 * change.
 */
export async function membershipsOf(
  store: Store,
  cid: string,
  now: Date,
): Promise<readonly string[] | null> {
  const cache = cacheOf(store);
  const records = store.records(hosts, { cid });
  const revision = await records.revision();
  const cached = cache.get(cid);
  if (cached?.revision === revision) return cached.memberships;
  const options = { now, limit: ceiling + 1 };
  const distinct = await readForAll(() =>
    records.distinct("membership", where.everything, options),
  );
  const memberships = distinct.length > ceiling ? null : distinct;
  cache.set(cid, { revision, memberships });
  return memberships;
}
