/** The known word that is most similar to a misspelled one, if any is similar. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const best = known
    .map((each) => ({ each, distance: distanceOf(word, each) }))
    .toSorted((left, right) => left.distance - right.distance)[0];
  return best !== undefined && best.distance <= Math.max(2, Math.ceil(word.length / 3))
    ? best.each
    : undefined;
}

/** The Levenshtein distance. */
function distanceOf(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const change = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}

/** That a name is not known, and the nearest one that is. */
export function unknownWord(noun: string, word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return `there is no ${noun} ${word}${near === undefined ? "" : `; did you mean ${near}?`}`;
}
