/** A value that takes work to read, and is read again only after an interval. */
export class Remembered<Value> {
  readonly #milliseconds: number;
  readonly #read: () => Promise<Value>;
  #at = -Infinity;
  #reading: Promise<Value> | null = null;
  #latest: Value | undefined;

  constructor(milliseconds: number, read: () => Promise<Value>) {
    this.#milliseconds = milliseconds;
    this.#read = read;
  }

  /** Rejects if it cannot be read. Then the next call tries again. */
  value(): Promise<Value> {
    if (this.#reading === null || performance.now() - this.#at >= this.#milliseconds) {
      this.#at = performance.now();
      this.#reading = this.#readNow();
    }
    return this.#reading;
  }

  /** The last value that was read. Begins to read it, without waiting. */
  latest(): Value | undefined {
    this.value().catch(() => undefined);
    return this.#latest;
  }

  async #readNow(): Promise<Value> {
    try {
      this.#latest = await this.#read();
      return this.#latest;
    } catch (error) {
      this.#at = -Infinity;
      throw error;
    }
  }
}
