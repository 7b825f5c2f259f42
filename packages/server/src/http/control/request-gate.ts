/** Admits requests, except while work runs that nobody else may read or write beside. */
export class RequestGate {
  #inside = 0;
  #closed: Promise<unknown> | null = null;
  #onEmpty: (() => void) | null = null;

  /** Handles a request. Waits first while the gate is closed. */
  async run<Result>(handle: () => Promise<Result>): Promise<Result> {
    while (this.#closed !== null) await this.#closed;
    this.#inside += 1;
    try {
      return await handle();
    } finally {
      this.#inside -= 1;
      if (this.#inside === 0) this.#onEmpty?.();
    }
  }

  /** Closes the gate, waits until the requests inside have ended, and runs `work`. One call at a time. */
  async whileEmpty<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#closed !== null) await this.#closed;
    const opening = Promise.withResolvers<void>();
    this.#closed = opening.promise;
    try {
      if (this.#inside > 0) {
        await new Promise<void>((resolve) => {
          this.#onEmpty = resolve;
        });
      }
      return await work();
    } finally {
      this.#onEmpty = null;
      this.#closed = null;
      opening.resolve();
    }
  }
}
