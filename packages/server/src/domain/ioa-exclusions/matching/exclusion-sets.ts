import { where } from "@security-platform/fql";
import type { Store } from "../../../store/types.ts";
import { exclusions, type Exclusion } from "../exclusions.ts";
import { entryOf, ExclusionSet, type Entry } from "./exclusion-set.ts";

const bytesKept = 256 * 1_024 * 1_024;
const batch = 1_000;

interface Kept {
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
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(limit = bytesKept) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  async of(store: Store, cid: string, now: Date): Promise<ExclusionSet> {
    const revision = await store.records(exclusions, { cid }).revision();
    const known = this.#kept.get(cid);
    if (known !== undefined) this.#forget(cid, known);
    const kept =
      known?.revision === revision ? known : this.#load(store, cid, now, revision, known?.set);
    this.#kept.set(cid, kept);
    this.#bytes += kept.bytes;
    try {
      const set = await kept.set;
      if (this.#kept.get(cid) === kept) this.#weigh(kept, set);
      return set;
    } catch (error) {
      this.#forget(cid, kept);
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
  ): Kept {
    return { revision, set: readSet(store, cid, now, before), bytes: 0 };
  }

  #weigh(kept: Kept, { bytes }: ExclusionSet): void {
    this.#bytes += bytes - kept.bytes;
    kept.bytes = bytes;
    for (const [cid, oldest] of this.#kept) {
      if (this.#bytes <= this.#limit) return;
      this.#forget(cid, oldest);
    }
  }

  #forget(cid: string, kept: Kept): void {
    if (this.#kept.get(cid) !== kept) return;
    this.#kept.delete(cid);
    this.#bytes -= kept.bytes;
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
