import type { RE2JS } from "re2js";

/** Longer than any sound pattern needs for a text of a request, and short enough for others to wait. */
const longestCount = 150;

/**
 * How many matches of any of the programs a text has, counted no further than `enough`. A place that
 * several programs match from start to end counts once, a match of nothing not at all. Null where that
 * takes too long: one match is found in linear time, but there may be one at every character.
 */
export function countMatches(
  programs: readonly RE2JS[],
  text: string,
  enough: number,
): number | null {
  const began = performance.now();
  const places = new Set<string>();
  for (const program of programs) {
    const matcher = program.matcher(text);
    while (places.size < enough && matcher.find()) {
      if (performance.now() - began > longestCount) return null;
      if (matcher.end() > matcher.start()) places.add(`${matcher.start()}-${matcher.end()}`);
    }
  }
  return places.size;
}
