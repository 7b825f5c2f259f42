/**
 * Combines the look-ups of all resolvers at one level of a query into one look-up, and caches the results
 * for the query.
 */
export class Batch<Value> {
  readonly #find: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
  readonly #results = new Map<string, Promise<Value | undefined>>();
  #waiting: Map<string, (value: Promise<Value | undefined>) => void> | undefined;

  constructor(find: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>) {
    this.#find = find;
  }

  /** The result of `find` for the key, or undefined. */
  load(key: string): Promise<Value | undefined> {
    const earlierResult = this.#results.get(key);
    if (earlierResult !== undefined) return earlierResult;
    const pending = new Promise<Value | undefined>((resolve) => {
      if (this.#waiting === undefined) {
        this.#waiting = new Map();
        // Resolvers of one level run in successive microtasks, so all keys are collected by then.
        setImmediate(() => this.#look());
      }
      this.#waiting.set(key, resolve);
    });
    this.#results.set(key, pending);
    return pending;
  }

  /** Adds a value that is already known. */
  prime(key: string, value: Value): void {
    if (!this.#results.has(key)) this.#results.set(key, Promise.resolve(value));
  }

  #look(): void {
    const waiting = this.#waiting ?? new Map<string, never>();
    this.#waiting = undefined;
    const results = this.#find([...waiting.keys()]);
    for (const [key, resolve] of waiting) resolve(results.then((values) => values.get(key)));
  }
}
