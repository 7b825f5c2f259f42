type Headers = Readonly<Record<string, string>>;

interface Spare {
  readonly headers: Headers;
  /** Milliseconds of the process clock. */
  readonly until: number;
}

/** Time for which a header is kept, which is shorter than any token or cursor is valid. */
const keptMilliseconds = 60_000;

/**
 * Headers that a step obtained for a request that was then rejected. The next request that needs
 * the step's headers sends these. How many requests this saves depends on the timing of the run.
 */
export class SpareHeaders {
  readonly #spare = new Map<string, Spare[]>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  keep(operation: string, headers: Headers): void {
    const spare = this.#spare.get(operation) ?? [];
    spare.push({ headers, until: this.#now() + keptMilliseconds });
    this.#spare.set(operation, spare);
  }

  /** Each is given out once. */
  take(operation: string): Headers | undefined {
    const last = this.#spare.get(operation)?.pop();
    return last === undefined || last.until < this.#now() ? undefined : last.headers;
  }
}
