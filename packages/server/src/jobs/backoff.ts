const firstPause = 10_000;
const longestPause = 60 * 60_000;

/**
 * Milliseconds to wait after a failed attempt (the first is 1): 10 seconds, doubled by each further
 * attempt up to an hour. `random`, from 0 to 1, takes up to half of it away, so that jobs that failed
 * together do not come back together.
 */
export function pauseAfter(attempt: number, random: number): number {
  const pause = Math.min(longestPause, firstPause * 2 ** (attempt - 1));
  return Math.round(pause * (1 - random / 2));
}
