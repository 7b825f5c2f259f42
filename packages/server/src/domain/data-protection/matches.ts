import type { RE2JS } from "re2js";

/**
 * Milliseconds of CPU time: more than a sound pattern needs, short enough for other requests to
 * wait.
 */
const longestCount = 150;

/**
 * Counts the matches of all programs in a text, up to `enough`. A range that several programs match
 * counts once; empty matches do not count. Null where counting takes too long: each match takes
 * linear time, and every character may start one.
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
 * Whether the process has used more CPU time than that. Waiting on a busy machine does not count.
 */
function timeLimit(milliseconds: number): () => boolean {
  const began = performance.now();
  const used = process.cpuUsage();
  return () => {
    // Reading the wall clock is much cheaper, and CPU time cannot pass faster.
    if (performance.now() - began <= milliseconds) return false;
    const { user, system } = process.cpuUsage(used);
    return user + system > milliseconds * 1_000;
  };
}
