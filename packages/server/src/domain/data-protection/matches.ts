import type { RE2JS } from "re2js";

/**
 * How many matches of any of the programs a text has, counted no further than `enough`. A place that
 * several programs match from start to end counts once, a match of nothing not at all.
 */
export function countMatches(programs: readonly RE2JS[], text: string, enough: number): number {
  const places = new Set<string>();
  for (const program of programs) {
    const matcher = program.matcher(text);
    while (places.size < enough && matcher.find()) {
      if (matcher.end() > matcher.start()) places.add(`${matcher.start()}-${matcher.end()}`);
    }
  }
  return places.size;
}
