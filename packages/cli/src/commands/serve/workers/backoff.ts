const firstMilliseconds = 100;
const longestMilliseconds = 10_000;
/** A worker that served this long has not failed because of its start. */
const steadyMilliseconds = 30_000;

/** Delays before restarts: doubled with each failure in a row, short again after a steady run. */
export class Backoff {
  #failures = 0;

  /** Milliseconds to wait after a run of the given length. */
  next(ranMilliseconds: number): number {
    if (ranMilliseconds >= steadyMilliseconds) this.#failures = 0;
    const delay = Math.min(firstMilliseconds * 2 ** this.#failures, longestMilliseconds);
    this.#failures += 1;
    return delay;
  }
}
