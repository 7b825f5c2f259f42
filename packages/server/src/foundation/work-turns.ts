/** Milliseconds of work, of all requests together, after which connections are served. */
const longestTurn = 5;

/**
 * Divides long work into turns of the event loop. All requests share one turn: when its time is over, each of them
 * waits, and each later turn continues one. So connections are served between turns, however many requests work.
 */
export class WorkTurns {
  /** Milliseconds of a clock that only runs forward. Tests replace it. */
  now: () => number = () => performance.now();
  readonly #waiting: (() => void)[] = [];
  /** When the current turn began. Null: no work has looked at the time in it. */
  #began: number | null = null;

  /** A promise if the time of this turn is over. It is fulfilled in a later turn. */
  pause(): Promise<void> | undefined {
    const now = this.now();
    if (this.#began === null) {
      this.#begin(now);
      return undefined;
    }
    if (now - this.#began < longestTurn) return undefined;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #begin(now: number): void {
    this.#began = now;
    setImmediate(() => this.#end());
  }

  #end(): void {
    const goOn = this.#waiting.shift();
    if (goOn === undefined) {
      this.#began = null;
      return;
    }
    this.#begin(this.now());
    goOn();
  }
}

export const workTurns = new WorkTurns();

/** For long loops. Awaiting the result in each iteration lets other requests run after 5 ms of work. */
export const pause = (): Promise<void> | undefined => workTurns.pause();
