/**
 * Names that no record of a tenant has. They are looked up before the transactions that need them run. The
 * result is valid while the tenant's lock is held, so transactions that share a commit share it.
 */
export class LookedUp {
  /** By table. True: the name is free; otherwise: the query that is still running. */
  readonly #names = new Map<object, Map<string, true | object>>();
  #answered: Promise<void> = Promise.resolve();

  /** `find` returns the names that a record already has. */
  ask(
    about: object,
    names: readonly string[],
    find: (names: readonly string[]) => Promise<ReadonlySet<string>>,
  ): void {
    const known = this.#names.get(about) ?? new Map<string, true | object>();
    this.#names.set(about, known);
    const unknown = [...new Set(names)].filter((name) => !known.has(name));
    if (unknown.length === 0) return;
    const question = {};
    for (const name of unknown) known.set(name, question);
    const answer = (taken: ReadonlySet<string> | null): void => {
      for (const name of unknown) {
        // A record may have received the name since the query started.
        if (known.get(name) !== question) continue;
        if (taken === null || taken.has(name)) known.delete(name);
        else known.set(name, true);
      }
    };
    // After a failure, the next caller that needs the names queries again and gets the error.
    const answered = find(unknown).then(answer, () => answer(null));
    this.#answered = Promise.all([this.#answered, answered]).then(() => undefined);
  }

  /** Returns the names that are not known to be free. Waits for running queries about them. */
  async unknown(about: object, names: readonly string[]): Promise<readonly string[]> {
    const known = this.#names.get(about);
    if (known === undefined) return names;
    if (names.some((name) => typeof known.get(name) === "object")) await this.#answered;
    return names.filter((name) => known.get(name) !== true);
  }

  /** Marks the names as taken by records. */
  take(about: object, names: readonly string[]): void {
    const known = this.#names.get(about);
    if (known !== undefined) for (const name of names) known.delete(name);
  }
}
