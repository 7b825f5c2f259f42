import { AsyncLocalStorage } from "node:async_hooks";

/** A connection whose running statement can be ended. */
interface Cancellable {
  cancel(): void;
}

/**
 * The reads for one caller. When the caller leaves, statements that still run are ended, because nobody takes
 * their result.
 */
export class CallerAbort {
  /** The tenant of the caller. Null: it has no token. */
  readonly cid: string | null;
  readonly #running = new Set<Cancellable>();
  #isAborted = false;

  constructor(cid: string | null) {
    this.cid = cid;
  }

  abort(): void {
    this.#isAborted = true;
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
      if (this.#isAborted) connection.cancel();
      return await result;
    } finally {
      this.#running.delete(connection);
    }
  }
}

const callerAborts = new AsyncLocalStorage<CallerAbort | undefined>();

/** The caller that the running code reads for, if it can leave. */
export const currentCallerAbort = (): CallerAbort | undefined => callerAborts.getStore();

/** Runs code whose reads end when the caller leaves. It must not write. */
export const readFor = <Result>(callerAbort: CallerAbort, work: () => Result): Result =>
  callerAborts.run(callerAbort, work);

/**
 * Runs code whose result several callers share, so that none of them can end it, and none reads it from a replica that
 * lacks what another one has seen.
 */
export const readForAll = <Result>(work: () => Result): Result => callerAborts.run(undefined, work);

/** Like `readForAll`, for what is read in batches. */
export async function* batchesForAll<Batch>(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  const iterator = batches[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await readForAll(() => iterator.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}
