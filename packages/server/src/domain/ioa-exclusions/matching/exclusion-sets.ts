import { where } from "@security-platform/fql";
import { LRUCache } from "lru-cache";
import { readForAll } from "../../../foundation/caller-abort.ts";
import type { Store } from "../../../store/index.ts";
import { exclusions, type Exclusion } from "../exclusions.ts";
import { entryOf, ExclusionSet, type Entry } from "./exclusion-set.ts";

const bytesKept = 256 * 1_024 * 1_024;
const batch = 1_000;

interface CacheEntry {
  readonly revision: string;
  readonly set: Promise<ExclusionSet>;
  /** 1 until the set is loaded. */
  readonly bytes: number;
}

/**
 * A cache of the exclusion sets of recently used tenants. A set is valid until any process writes to the
 * tenant's exclusions.
 */
export class ExclusionSets {
  readonly #cache: LRUCache<string, CacheEntry>;

  constructor(limit = bytesKept) {
    this.#cache = new LRUCache({ maxSize: limit, sizeCalculation: ({ bytes }) => bytes });
  }

  get bytes(): number {
    return this.#cache.calculatedSize;
  }

  /** Concurrent callers share one load. */
  async of(store: Store, cid: string, now: Date): Promise<ExclusionSet> {
    const revision = await store.records(exclusions, { cid }).revision();
    const cached = this.#cache.get(cid);
    if (cached?.revision === revision) return cached.set;
    const set = readForAll(() => readSet(store, cid, now, cached?.set));
    const loading = { revision, set, bytes: 1 };
    this.#cache.set(cid, loading);
    try {
      const bytes = Math.max(1, (await set).bytes);
      if (this.#cache.peek(cid) === loading) this.#cache.set(cid, { revision, set, bytes });
      return await set;
    } catch (error) {
      if (this.#cache.peek(cid) === loading) this.#cache.delete(cid);
      throw error;
    }
  }
}

async function readSet(
  store: Store,
  cid: string,
  now: Date,
  before?: Promise<ExclusionSet>,
): Promise<ExclusionSet> {
  const entries: Entry[] = [];
  for await (const texts of store.records(exclusions, { cid }).scan(where.everything, now, batch)) {
    for (const text of texts) entries.push(entryOf(JSON.parse(text) as Exclusion));
  }
  return new ExclusionSet(entries, await before?.catch(() => undefined));
}
