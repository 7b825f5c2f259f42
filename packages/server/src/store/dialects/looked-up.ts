/**
 * Names that no record of a tenant has, looked up before the transactions that need them run. Known while
 * the tenant's lock is held, so it is shared by transactions that share a commit.
 */
export class LookedUp {
  /** By table; true: free, otherwise the question that has not been answered yet. */
  readonly #names = new Map<object, Map<string, true | object>>();
  #answered: Promise<void> = Promise.resolve();

  /** `find` returns those of the names that a record has. */
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
        // A record may have got the name since the question was asked.
        if (known.get(name) !== question) continue;
        if (taken === null || taken.has(name)) known.delete(name);
        else known.set(name, true);
      }
    };
    // Whoever needs the names after a failure asks again, and sees it.
    const answered = find(unknown).then(answer, () => answer(null));
    this.#answered = Promise.all([this.#answered, answered]).then(() => undefined);
  }

  /** Those of the names that are not known to be free. Waits for answers to questions about them. */
  async unknown(about: object, names: readonly string[]): Promise<readonly string[]> {
    const known = this.#names.get(about);
    if (known === undefined) return names;
    if (names.some((name) => typeof known.get(name) === "object")) await this.#answered;
    return names.filter((name) => known.get(name) !== true);
  }

  /** Records get the names. */
  take(about: object, names: readonly string[]): void {
    const known = this.#names.get(about);
    if (known !== undefined) for (const name of names) known.delete(name);
  }
}
