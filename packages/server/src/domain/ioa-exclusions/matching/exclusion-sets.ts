import { where } from "@security-platform/fql";
import { readForAll } from "../../../departure.ts";
import type { Store } from "../../../store/index.ts";
import { exclusions, type Exclusion } from "../exclusions.ts";
import { entryOf, ExclusionSet, type Entry } from "./exclusion-set.ts";

const bytesKept = 256 * 1_024 * 1_024;
const batch = 1_000;

interface CacheEntry {
  readonly revision: string;
  readonly set: Promise<ExclusionSet>;
  bytes: number;
}

/**
 * A cache of the exclusion sets of recently used tenants. A set is valid until any process writes to the
 * tenant's exclusions.
 */
export class ExclusionSets {
  readonly #limit: number;
  readonly #cache = new Map<string, CacheEntry>();
  #bytes = 0;

  constructor(limit = bytesKept) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  async of(store: Store, cid: string, now: Date): Promise<ExclusionSet> {
    const revision = await store.records(exclusions, { cid }).revision();
    const known = this.#cache.get(cid);
    if (known !== undefined) this.#forget(cid, known);
    const cached =
      known?.revision === revision ? known : this.#load(store, cid, now, revision, known?.set);
    this.#cache.set(cid, cached);
    this.#bytes += cached.bytes;
    try {
      const set = await cached.set;
      if (this.#cache.get(cid) === cached) this.#weigh(cached, set);
      return set;
    } catch (error) {
      this.#forget(cid, cached);
      throw error;
    }
  }

  /** Concurrent callers share one load. */
  #load(
    store: Store,
    cid: string,
    now: Date,
    revision: string,
    before?: Promise<ExclusionSet>,
  ): CacheEntry {
    const set = readForAll(() => readSet(store, cid, now, before));
    return { revision, set, bytes: 0 };
  }

  #weigh(entry: CacheEntry, { bytes }: ExclusionSet): void {
    this.#bytes += bytes - entry.bytes;
    entry.bytes = bytes;
    for (const [cid, oldest] of this.#cache) {
      if (this.#bytes <= this.#limit) return;
      this.#forget(cid, oldest);
    }
  }

  #forget(cid: string, entry: CacheEntry): void {
    if (this.#cache.get(cid) !== entry) return;
    this.#cache.delete(cid);
    this.#bytes -= entry.bytes;
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
