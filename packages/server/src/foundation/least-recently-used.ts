/** A map that removes the least recently used entry when it is full. */
export class LeastRecentlyUsed<Key, Value> {
  readonly #limit: number;
  readonly #removed: (value: Value) => void;
  readonly #entries = new Map<Key, Value>();

  /** `removed` is called with the value of an entry that is removed. */
  constructor(limit: number, removed: (value: Value) => void = () => undefined) {
    this.#limit = limit;
    this.#removed = removed;
  }

  /** The value of `key`. Creates it if it is missing. */
  get(key: Key, make: () => Value): Value {
    const cached = this.#entries.get(key);
    if (cached === undefined) {
      const value = make();
      this.set(key, value);
      return value;
    }
    // The order does not matter while the map is less than half full, because no entry is removed soon.
    if (this.#entries.size * 2 > this.#limit) {
      this.#entries.delete(key);
      this.#entries.set(key, cached);
    }
    return cached;
  }

  peek(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#limit) return;
    const [oldest] = this.#entries;
    if (oldest === undefined) return;
    this.#entries.delete(oldest[0]);
    this.#removed(oldest[1]);
  }
}
