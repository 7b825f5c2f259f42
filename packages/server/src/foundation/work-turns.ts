/** Milliseconds of work, of all requests together, after which connections are served. */
const longestTurn = 5;

/**
 * Divides long work into turns of the event loop. All requests share one turn: when its time is over, each of them
 * waits, and later turns continue as many of them, in their order, as their time allows. So connections are served
 * between turns, however many requests work, and a short work waits for few turns.
 */
export class WorkTurns {
  /** Milliseconds of a clock that only runs forward. Tests replace it. */
  now: () => number = () => performance.now();
  readonly #waiting: (() => void)[] = [];
  /** When the current turn began. Null: no work has looked at the time in it. */
  #began: number | null = null;

  /** A promise if the time of this turn is over. It is fulfilled in a later turn. */
  pause(): Promise<void> | undefined {
    if (this.#hasTime()) return undefined;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      setImmediate(() => this.#continue());
    });
  }

  /** Continues the work that waits longest. Between two such calls the work runs until it pauses again. */
  #continue(): void {
    if (this.#hasTime()) this.#waiting.shift()?.();
    else setImmediate(() => this.#continue());
  }

  #hasTime(): boolean {
    const now = this.now();
    if (this.#began !== null) return now - this.#began < longestTurn;
    this.#began = now;
    setImmediate(() => {
      this.#began = null;
    });
    return true;
  }
}

export const workTurns = new WorkTurns();

/** Lets other requests run after 5 ms of work. Await the result in each iteration of a long loop. */
export const pause = (): Promise<void> | undefined => workTurns.pause();
