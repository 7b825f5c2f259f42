type Work<Result> = (...parameters: unknown[]) => Result;

/**
 * Keeps the value only until the first `await`, because browsers have no such storage. The server uses it to end the
 * statements of callers that have left, and without it they run to their end.
 */
export class AsyncLocalStorage<Value> {
  #value: Value | undefined;

  getStore(): Value | undefined {
    return this.#value;
  }

  run<Result>(value: Value, work: Work<Result>, ...parameters: unknown[]): Result {
    const before = this.#value;
    this.#value = value;
    try {
      return work(...parameters);
    } finally {
      this.#value = before;
    }
  }
}

export class AsyncResource {
  runInAsyncScope<Result>(work: Work<Result>, self: unknown, ...parameters: unknown[]): Result {
    return work.apply(self, parameters);
  }

  emitDestroy(): this {
    return this;
  }

  bind<Result>(work: Work<Result>): Work<Result> {
    return work;
  }
}
