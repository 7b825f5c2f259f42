import { AsyncLocalStorage } from "node:async_hooks";

/** A connection whose running statement can be ended. */
interface Cancellable {
  cancel(): void;
}

/**
 * The reads for one caller. When the caller leaves, statements that still run are ended, because nobody takes
 * their result.
 */
export class Departure {
  readonly #running = new Set<Cancellable>();
  #hasLeft = false;

  leave(): void {
    this.#hasLeft = true;
    for (const connection of this.#running) connection.cancel();
  }

  /** Runs statements of `connection`, which ends them when the caller leaves. */
  async during<Result>(
    connection: Cancellable,
    work: () => Result | Promise<Result>,
  ): Promise<Result> {
    this.#running.add(connection);
    try {
      const result = work();
      if (this.#hasLeft) connection.cancel();
      return await result;
    } finally {
      this.#running.delete(connection);
    }
  }
}

const departures = new AsyncLocalStorage<Departure | undefined>();

/** The caller that the running code reads for, if it can leave. */
export const currentDeparture = (): Departure | undefined => departures.getStore();

/** Runs code whose reads end when the caller leaves. It must not write. */
export const readFor = <Result>(departure: Departure, work: () => Result): Result =>
  departures.run(departure, work);

/** Runs code whose result several callers share, so that none of them can end it. */
export const readForAll = <Result>(work: () => Result): Result => departures.run(undefined, work);
