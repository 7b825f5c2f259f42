import type { RE2JS } from "re2js";

/** Milliseconds of CPU time: more than a sound pattern needs, and short enough for others to wait. */
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
  const tooLong = timeLimit(longestCount);
  const places = new Set<string>();
  for (const program of programs) {
    const matcher = program.matcher(text);
    while (places.size < enough && matcher.find()) {
      if (tooLong()) return null;
      if (matcher.end() > matcher.start()) places.add(`${matcher.start()}-${matcher.end()}`);
    }
  }
  return places.size;
}

/** Whether this process has worked longer since. A busy machine makes nothing take too long. */
function timeLimit(milliseconds: number): () => boolean {
  const began = performance.now();
  const used = process.cpuUsage();
  return () => {
    // Reading the clock is much cheaper, and CPU time passes no faster.
    if (performance.now() - began <= milliseconds) return false;
    const { user, system } = process.cpuUsage(used);
    return user + system > milliseconds * 1_000;
  };
}
