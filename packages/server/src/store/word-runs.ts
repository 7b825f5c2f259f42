/**
 * A run is some successive words of a text, as one word of the index. `_` separates its words, and no word
 * contains `_`. A run of two is `_a_b`, a run of four is `__a_b_c_d`. The run of a text's last three words is
 * `__a_b_c_`, so all places of these three words have runs that start with `__a_b_c_`. Runs are not hashed:
 * the index alone decides whether a text contains a phrase of up to four words.
 */
const longestRun = 4;

/** Maximum size of a text's runs in bytes. */
const mostBytes = 300_000;

/** Maximum number of runs to look up for one phrase. */
const mostLookedUp = 32;

/** A word of this length may be the start of a longer one: `wordSequence` cuts long words. */
const cutLength = 64;

/** The distinct runs of a text's words. Null: they are too long for the index. */
export function runsOf(words: readonly string[]): readonly string[] | null {
  const runs = new Set<string>();
  for (let at = 0; at + 1 < words.length; at += 1) {
    const [first, second, third, fourth = ""] = words.slice(at, at + longestRun);
    runs.add(`_${first}_${second}`);
    if (third !== undefined) runs.add(`__${first}_${second}_${third}_${fourth}`);
  }
  let bytes = 0;
  for (const run of runs) {
    bytes += Buffer.byteLength(run) + 1;
    if (bytes > mostBytes) return null;
  }
  return [...runs];
}

/** What the index has for every text that contains a phrase. */
export interface PhraseRuns {
  /** For a phrase of one word: the word. */
  readonly runs: readonly string[];
  /** A run starts with each of these. */
  readonly starts: readonly string[];
  /** Whether it has them for no other text. */
  readonly exact: boolean;
}

export function runsIn(phrase: readonly string[]): PhraseRuns {
  const { length } = phrase;
  if (length < 2) return { runs: phrase, starts: [], exact: true };
  if (length === 2) return { runs: [`_${phrase.join("_")}`], starts: [], exact: true };
  if (length === 3) return { runs: [], starts: [`__${phrase.join("_")}_`], exact: true };
  const count = length - longestRun + 1;
  const step = Math.ceil(count / mostLookedUp);
  const runs = new Set<string>();
  for (let at = 0; at < count; at += step) {
    runs.add(`__${phrase.slice(at, at + longestRun).join("_")}`);
  }
  return { runs: [...runs], starts: [], exact: length === longestRun };
}

/**
 * A start of words of the index. A text with such a word contains the given words one after another, and the
 * last one may continue. So its letters and digits contain those of the words. Null: there is no such start.
 */
export function startOf(words: readonly string[]): string | null {
  const { length } = words;
  if (length === 0 || length > longestRun) return null;
  if (words.some((word) => word.length >= cutLength)) return null;
  const kind = length > 2 ? "__" : length === 2 ? "_" : "";
  return kind + words.join("_");
}

/**
 * The word sequence in a form for substring search: a text contains a phrase exactly if its form contains the
 * phrase's form.
 */
export const sequenceOf = (words: readonly string[]): string => ` ${words.join(" ")} `;
