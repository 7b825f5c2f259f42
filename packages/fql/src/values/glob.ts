import { foldCase } from "./text.ts";

/** The literal pieces between the stars of `pattern`; adjacent stars count as one. */
export function globParts(pattern: string, fold: boolean): readonly string[] {
  const parts = (fold ? foldCase(pattern) : pattern).split("*");
  return parts.filter((part, index) => part !== "" || index === 0 || index === parts.length - 1);
}

/**
 * Whether `text` consists of the pieces in order with any text between them, anchored at both ends.
 * Each piece is matched at its leftmost position, which leaves the most room for the next, so there
 * is no backtracking: the time is linear in the text and the pieces.
 */
export function matchesGlob(parts: readonly string[], text: string): boolean {
  const first = parts.at(0) ?? "";
  const last = parts.at(-1) ?? "";
  const end = text.length - last.length;
  if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = indexOf(text, part, from);
    if (at < 0 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}

/**
 * The first position of `piece` in `text` at or after `from`, or -1. Takes linear time (Knuth, Morris,
 * Pratt).
 */
export function indexOf(text: string, piece: string, from = 0): number {
  if (piece === "") return from;
  const borders = longestBorders(piece);
  let matched = 0;
  for (let at = from; at < text.length; at += 1) {
    matched = advance(piece, borders, matched, text.charCodeAt(at));
    if (matched === piece.length) return at - piece.length + 1;
  }
  return -1;
}

/** The length of the longest proper prefix that is also a suffix, for each prefix of `piece` by its length. */
function longestBorders(piece: string): Uint32Array {
  const borders = new Uint32Array(piece.length + 1);
  for (let length = 1; length < piece.length; length += 1) {
    borders[length + 1] = advance(piece, borders, borders[length] ?? 0, piece.charCodeAt(length));
  }
  return borders;
}

/** The matched length of `piece` after the code unit `unit`; `matched` is the length before it. */
function advance(piece: string, borders: Uint32Array, matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && piece.charCodeAt(length) !== unit) length = borders[length] ?? 0;
  return piece.charCodeAt(length) === unit ? length + 1 : 0;
}
