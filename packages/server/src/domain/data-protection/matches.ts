import type { RE2JS } from "re2js";

/**
 * CPU time in milliseconds: more than a reasonable pattern needs, and short enough not to delay other
 * requests noticeably.
 */
const longestCount = 150;

/**
 * Counts the matches of all programs in a text, up to `enough`. A range that several programs match counts
 * once; empty matches do not count. Returns null if counting takes too long: each match takes linear time,
 * and a match can start at every character.
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

/**
 * Returns a function that reports whether the process has used more CPU time than the limit. Waiting on a
 * busy machine does not count.
 */
function timeLimit(milliseconds: number): () => boolean {
  const began = performance.now();
  const used = process.cpuUsage();
  return () => {
    // The wall clock is much cheaper to read, and CPU time does not advance faster.
    if (performance.now() - began <= milliseconds) return false;
    const { user, system } = process.cpuUsage(used);
    return user + system > milliseconds * 1_000;
  };
}
