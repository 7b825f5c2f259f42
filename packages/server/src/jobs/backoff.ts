const firstPause = 10_000;
const longestPause = 60 * 60_000;

/**
 * Pause after a failed attempt in milliseconds. It is 10 seconds after attempt 1, and doubles with each
 * further attempt up to an hour. `random`, from 0 to 1, shortens it by up to half, so that jobs that failed
 * together do not restart together.
 */
export function pauseAfter(attempt: number, random: number): number {
  const pause = Math.min(longestPause, firstPause * 2 ** (attempt - 1));
  return Math.round(pause * (1 - random / 2));
}
