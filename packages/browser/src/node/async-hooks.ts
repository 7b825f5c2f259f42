type Work<Result> = (...parameters: unknown[]) => Result;

/**
 * Keeps the value until the work ends, because browsers have no such storage; other code that runs meanwhile sees it,
 * too. The server uses it for the identifiers of a generated world, while which no request runs, and to end the
 * statements of callers that have left, which a page cannot.
 */
export class AsyncLocalStorage<Value> {
  #value: Value | undefined;

  getStore(): Value | undefined {
    return this.#value;
  }

  run<Result>(value: Value, work: Work<Result>, ...parameters: unknown[]): Result {
    const before = this.#value;
    this.#value = value;
    const restore = (): void => {
      this.#value = before;
    };
    let result: Result;
    try {
      result = work(...parameters);
    } catch (error) {
      restore();
      throw error;
    }
    if (!(result instanceof Promise)) {
      restore();
      return result;
    }
    return result.finally(restore) as Result;
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
