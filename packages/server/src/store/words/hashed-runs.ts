/**
 * A hashed run stands for two or three successive words of a text that is too long for exact runs. It is a
 * word of the index: `_` and the hash of the words in base 36, which is longer than the hash of a trigram. The
 * number of hashes limits the size of a text in the index.
 */
const hashes = 36 ** 3;

/** Maximum number of runs to look up for one phrase. */
const mostLookedUp = 32;

/** The distinct hashed runs of a text's words. */
export function hashedRunsOf(sequence: readonly string[]): readonly string[] {
  const marked = new Uint8Array(hashes);
  const words = sequence.map(hashOf);
  for (let at = 1; at < words.length; at += 1) {
    marked[hashOfRun(words, at - 1, at + 1)] = 1;
    if (at > 1) marked[hashOfRun(words, at - 2, at + 1)] = 1;
  }
  const runs: string[] = [];
  for (let hash = marked.indexOf(1); hash >= 0; hash = marked.indexOf(1, hash + 1)) {
    runs.push(wordOf(hash));
  }
  return runs;
}

/** Hashed runs of every text that contains the phrase. Other texts may have them as well. */
export function hashedRunsIn(phrase: readonly string[]): readonly string[] {
  const words = phrase.map(hashOf);
  if (words.length < 2) return [];
  const length = Math.min(3, words.length);
  const count = words.length - length + 1;
  const step = Math.ceil(count / mostLookedUp);
  const runs = new Set<string>();
  for (let at = 0; at < count; at += step) runs.add(wordOf(hashOfRun(words, at, at + length)));
  return [...runs];
}

const wordOf = (hash: number): string => `_${(hash + hashes).toString(36)}`;

/** FNV-1a of the code units. */
function hashOf(word: string): number {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < word.length; at += 1) {
    hash = Math.imul(hash ^ word.charCodeAt(at), 0x0100_0193);
  }
  return hash;
}

function hashOfRun(words: readonly number[], from: number, to: number): number {
  let mixed = to - from;
  for (let at = from; at < to; at += 1) {
    mixed = Math.imul(mixed ^ (words[at] ?? 0), 0x9e37_79b1);
    mixed ^= mixed >>> 15;
  }
  return (mixed >>> 0) % hashes;
}
