/** Reports changes of a blob store's size. */
export class BlobWatch {
  readonly #listeners: ((bytes: number) => void)[] = [];
  /** The last change of each blob, so that two changes do not both count. */
  readonly #changes = new Map<string, Promise<unknown>>();

  /** Calls `listener` with the bytes of each blob that is added, and with the negative bytes of each deleted one. */
  watch(listener: (bytes: number) => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Changes a blob, and tells how its size has changed. `sizeOf` reads its size, null if there is none. Without a
   * listener it reads nothing.
   */
  async around<Result>(
    sha256: string,
    sizeOf: (sha256: string) => Promise<number | null>,
    change: () => Promise<Result>,
  ): Promise<Result> {
    if (this.#listeners.length === 0) return change();
    const measured = async (): Promise<Result> => {
      const before = (await sizeOf(sha256)) ?? 0;
      const result = await change();
      const difference = ((await sizeOf(sha256)) ?? 0) - before;
      if (difference !== 0) for (const listener of this.#listeners) listener(difference);
      return result;
    };
    const earlier = this.#changes.get(sha256);
    const running = earlier === undefined ? measured() : earlier.then(measured, measured);
    this.#changes.set(sha256, running);
    try {
      return await running;
    } finally {
      if (this.#changes.get(sha256) === running) this.#changes.delete(sha256);
    }
  }
}
