/**
 * A trigram is three neighbouring characters of a text. It is a word of the index: `_` and the hash of the
 * characters in base 36. The number of hashes limits the size of a long text in the index.
 */
const hashes = 36 ** 3;

/** Maximum number of trigrams to look up for one text. */
const mostLookedUp = 32;

/** The distinct trigrams of several texts. Each text is the key that `:~` compares. */
export function trigramsOf(keys: readonly string[]): readonly string[] {
  const marked = new Uint8Array(hashes);
  for (const key of keys) {
    for (let at = 0; at + 3 <= key.length; at += 1) marked[hashAt(key, at)] = 1;
  }
  return wordsOf(marked);
}

/**
 * Trigrams of every text that contains `needle`. Other texts may have them as well. None for a needle shorter
 * than three characters.
 */
export function trigramsIn(needle: string): readonly string[] {
  const marked = new Uint8Array(hashes);
  const step = Math.max(1, Math.ceil((needle.length - 2) / mostLookedUp));
  for (let at = 0; at + 3 <= needle.length; at += step) marked[hashAt(needle, at)] = 1;
  return wordsOf(marked);
}

/** Hashes code units, so that every part of a text has a subset of its trigrams. */
function hashAt(text: string, at: number): number {
  const mixed =
    Math.imul(text.charCodeAt(at), 0x9e37_79b1) ^
    Math.imul(text.charCodeAt(at + 1), 0x85eb_ca6b) ^
    Math.imul(text.charCodeAt(at + 2), 0xc2b2_ae35);
  return ((mixed ^ (mixed >>> 15)) >>> 0) % hashes;
}

function wordsOf(marked: Uint8Array): readonly string[] {
  const words: string[] = [];
  for (let hash = marked.indexOf(1); hash >= 0; hash = marked.indexOf(1, hash + 1)) {
    words.push(`_${hash.toString(36)}`);
  }
  return words;
}
