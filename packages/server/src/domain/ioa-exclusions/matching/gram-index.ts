/** Texts are looked up by pieces of this length. */
export const gramLength = 4;

const buckets = 1 << 16;
const lineFactor = 0x9e37;

/** The bucket of the four characters of a line's text that begin at `at`. */
function bucketOf(line: number, text: string, at: number): number {
  let hash = line * lineFactor;
  for (let next = at; next < at + gramLength; next += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(next), 0x0100_0193);
    hash ^= hash >>> 15;
  }
  return (hash ^ (hash >>> 16)) & (buckets - 1);
}

/** How often each piece occurs among required texts: the rarest one tells most. */
export class GramCounts {
  readonly #counts = new Uint32Array(buckets);

  add(line: number, text: string): void {
    for (let at = 0; at + gramLength <= text.length; at += 1) {
      const bucket = bucketOf(line, text, at);
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    }
  }

  /** The bucket of the text's rarest piece, and how many pieces share it; null for too short a text. */
  rarest(line: number, text: string): { readonly bucket: number; readonly count: number } | null {
    let best: { bucket: number; count: number } | null = null;
    for (let at = 0; at + gramLength <= text.length; at += 1) {
      const bucket = bucketOf(line, text, at);
      const count = this.#counts[bucket] ?? 0;
      if (best === null || count < best.count) best = { bucket, count };
    }
    return best;
  }
}

/**
 * Finds the entries one of whose required texts may occur in a line, in time that grows with the
 * line and not with the number of entries. It may name an entry too many, never one too few.
 */
export class GramIndex<Entry> {
  readonly #entries = new Map<number, Entry[]>();

  add(bucket: number, entry: Entry): void {
    const present = this.#entries.get(bucket);
    if (present === undefined) this.#entries.set(bucket, [entry]);
    else present.push(entry);
  }

  /** Calls `found` with each bucket's entries once, for the pieces of a folded line. */
  search(line: number, text: string, found: (entry: Entry) => void): void {
    const seen = new Set<number>();
    for (let at = 0; at + gramLength <= text.length; at += 1) {
      const bucket = bucketOf(line, text, at);
      const entries = this.#entries.get(bucket);
      if (entries === undefined || seen.has(bucket)) continue;
      seen.add(bucket);
      for (const entry of entries) found(entry);
    }
  }
}
