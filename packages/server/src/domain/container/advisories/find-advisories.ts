import { where } from "@security-platform/fql";
import { LRUCache } from "lru-cache";
import { batchesForAll } from "../../../foundation/caller-abort.ts";
import { pause } from "../../../foundation/work-turns.ts";
import type { Store } from "../../../store/index.ts";
import { advisories, type Advisory } from "./advisories.ts";
import type { FindAdvisories } from "./match.ts";

/** Maximum number of packages per query. */
const batch = 500;
/** Maximum number of rows per query. */
const page = 5_000;
/** Maximum number of packages in the cache. Images share most of their packages. */
const packagesKept = 4_000;
/** Packages with more advisories are not cached. */
const mostKept = 100;

/** Advisories by package, for one state of the stored advisories. */
interface Cache {
  readonly revision: string;
  readonly packages: LRUCache<string, readonly Advisory[]>;
}

/** Caches by the contents of a store. */
const caches = new WeakMap<object, Cache>();

/**
 * Looks advisories up in the store. Every tenant sees the same ones, so all share a cache, which
 * any write to the advisories empties.
 */
export function findAdvisories(
  store: Pick<Store, "records" | "contents">,
  cid: string,
  now: Date,
): FindAdvisories {
  const records = store.records(advisories, { cid });
  return async function* (keys) {
    // Read the revision first: the advisories are then at least as new.
    const { packages } = cacheOf(store.contents, await records.revision());
    const cachedAdvisories = new Set<Advisory>();
    const missing: string[] = [];
    for (const key of keys) {
      await pause();
      const cached = packages.get(key);
      if (cached === undefined) missing.push(key);
      else for (const advisory of cached) cachedAdvisories.add(advisory);
    }
    if (cachedAdvisories.size > 0) yield [...cachedAdvisories];
    const yieldedIds = new Set([...cachedAdvisories].map(({ id }) => id));
    for (let start = 0; start < missing.length; start += batch) {
      const part = missing.slice(start, start + batch);
      const byKey = new Map<string, Advisory[]>(part.map((key) => [key, []]));
      const found = records.scanComplete(where.anyOf("packages", part), now, page);
      for await (const stored of batchesForAll(found)) {
        const slim = stored.map(withoutUnused);
        for (const advisory of slim) {
          for (const key of advisory.packages) byKey.get(key)?.push(advisory);
        }
        yield slim.filter(({ id }) => !yieldedIds.has(id));
        for (const { id } of slim) yieldedIds.add(id);
      }
      for (const [key, ofPackage] of byKey)
        if (ofPackage.length <= mostKept) packages.set(key, ofPackage);
    }
  };
}

function cacheOf(contents: object, revision: string): Cache {
  const cache = caches.get(contents);
  if (cache?.revision === revision) return cache;
  const empty = {
    revision,
    packages: new LRUCache<string, readonly Advisory[]>({ max: packagesKept }),
  };
  caches.set(contents, empty);
  return empty;
}

/** An advisory with only the members that matching uses. The others may be long. */
function withoutUnused(advisory: Advisory): Advisory {
  const { details, summary, references, ...others } = advisory;
  return {
    ...others,
    ...(summary === undefined ? {} : { summary }),
    ...(summary === undefined && details !== undefined ? { details: details.slice(0, 4_096) } : {}),
    ...(references == null ? {} : { references: references.slice(0, 20) }),
  };
}
