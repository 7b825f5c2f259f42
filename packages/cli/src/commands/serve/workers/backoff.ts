const firstMilliseconds = 100;
const maximumMilliseconds = 10_000;
/** A worker that ran at least this long did not fail at start. */
const steadyMilliseconds = 30_000;

/** Delays before restarts: doubled with each consecutive failure, and reset after a steady run. */
export class Backoff {
  #failures = 0;

  /** Delay in milliseconds after a run of this length. */
  next(ranMilliseconds: number): number {
    if (ranMilliseconds >= steadyMilliseconds) this.#failures = 0;
    const delay = Math.min(firstMilliseconds * 2 ** this.#failures, maximumMilliseconds);
    this.#failures += 1;
    return delay;
  }
}
