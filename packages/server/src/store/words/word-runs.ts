/**
 * A run is four successive words of a text, as one word of the index: `_a_b_c_d`. No word contains `_`. The
 * runs at the end of a text are `_b_c_d_` and `_c_d__`, so all places of two or three words have runs that
 * start with `_c_d_` or `_b_c_d_`. Runs are not hashed: the index alone decides whether a text contains a
 * phrase of up to four words.
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
    runs.add(`_${words[at]}_${words[at + 1]}_${words[at + 2] ?? ""}_${words[at + 3] ?? ""}`);
  }
  let bytes = 0;
  for (const run of runs) {
    bytes += Buffer.byteLength(run) + 1;
    if (bytes > mostBytes) return null;
  }
  return [...runs];
}

/** The index entries of every text that contains a phrase. */
export interface PhraseRuns {
  /** For a phrase of one word: the word. */
  readonly runs: readonly string[];
  /** A run starts with each of these. */
  readonly starts: readonly string[];
  /** Whether no other text has these entries. */
  readonly exact: boolean;
}

export function runsIn(phrase: readonly string[]): PhraseRuns {
  const { length } = phrase;
  if (length < 2) return { runs: phrase, starts: [], exact: true };
  if (length < longestRun) return { runs: [], starts: [`_${phrase.join("_")}_`], exact: true };
  const count = length - longestRun + 1;
  const step = Math.ceil(count / mostLookedUp);
  const runs = new Set<string>();
  for (let at = 0; at < count; at += step) {
    runs.add(`_${phrase.slice(at, at + longestRun).join("_")}`);
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
  return (length > 1 ? "_" : "") + words.join("_");
}

/**
 * The word sequence in a form for substring search: a text contains a phrase exactly if its form contains the
 * phrase's form.
 */
export const sequenceOf = (words: readonly string[]): string => ` ${words.join(" ")} `;
