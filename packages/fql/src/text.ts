/**
 * The text that case-insensitive comparison sees. Context-free, so that the fold of a text is the
 * fold of its pieces one after the other, which globs rely on: the final sigma, the one letter that
 * `toLowerCase` treats by its place, folds like any sigma.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll("ς", "σ");
}

/** The text that `:~` sees: folded, letters and digits only. */
export function textKey(text: string): string {
  return foldCase(text).replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

/** Code-point order, as UTF-8 bytes sort: negative, zero or positive. */
export function compareCodePoints(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at += 1) {
    const difference = rank(left.charCodeAt(at)) - rank(right.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

// Surrogates stand for the highest code points, but are not the highest code units.
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
