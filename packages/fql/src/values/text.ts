/**
 * Folds a text for case-insensitive comparison. The fold of a text is the concatenation of the folds of its
 * parts, which globs rely on. Therefore the final sigma, the only letter whose lower case depends on its
 * position, folds like any other sigma.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll("ς", "σ");
}

/** Converts a text to the form that `:~` compares: folded, letters and digits only. */
export function textKey(text: string): string {
  return foldCase(text).replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

/** Maximum length of a word; further characters are ignored. */
const longestWord = 64;

/**
 * The words of a text in order: runs of letters and digits, folded. Letters and digits are the same
 * characters as for `textKey`.
 */
export function wordSequence(text: string): readonly string[] {
  const words = foldCase(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) =>
    word.length <= longestWord ? word : Array.from(word).slice(0, longestWord).join(""),
  );
}

/** The distinct words of a text. */
export const wordsOf = (text: string): readonly string[] => [...new Set(wordSequence(text))];

/**
 * Compares in code-point order, the order of UTF-8 bytes. Returns a negative number, zero or a
 * positive number.
 */
export function compareCodePoints(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at += 1) {
    const difference = rank(left.charCodeAt(at)) - rank(right.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

// UTF-16 surrogates encode the highest code points, but are not the highest code units.
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
