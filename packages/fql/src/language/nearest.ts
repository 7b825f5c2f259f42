/**
 * The candidate most similar to `word`: either the one with the fewest edits, or `word` with a part before
 * or after a dot. Undefined if none is similar. The cost depends only on the length of the candidates, not
 * on that of `word`.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const lowerCase = word.toLowerCase();
  let best: string | undefined;
  let fewest = Math.min(3, Math.ceil(word.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= fewest) continue;
    const edits = countEdits(lowerCase, candidate.toLowerCase());
    if (edits < fewest) [best, fewest] = [candidate, edits];
  }
  return best ?? candidates.find((candidate) => `.${candidate}.`.includes(`.${lowerCase}.`));
}

/** Number of letters to insert, delete, replace, or swap with their neighbour. */
function countEdits(left: string, right: string): number {
  let previous: number[] = [];
  let current = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      next[column] = Math.min(
        at(current, column) + 1,
        at(next, column - 1) + 1,
        at(current, column - 1) + (same ? 0 : 1),
        swapped ? at(previous, column - 2) + 1 : Infinity,
      );
    }
    [previous, current] = [current, next];
  }
  return at(current, right.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
