import { setImmediate } from "node:timers/promises";

/** One transaction that waits its turn. */
interface Turn {
  /** Does the work; what to tell its caller once it is on disk. */
  readonly work: () => Promise<() => void>;
  readonly reject: (error: unknown) => void;
}

/** The statements that the queue is made of; each throws what the caller may see. */
export interface Writer {
  /** Waits for the database's write lock. */
  begin(): Promise<void>;
  run(script: string): Promise<void>;
  /** False once the engine has given the transaction up by itself, as it does on a full disk. */
  readonly inTransaction: boolean;
}

/** No turn waits for the flush of the others' work longer than this, beyond their work itself. */
const groupMilliseconds = 10;

/**
 * Transactions one after the other, flushed to disk together: those that come while one is under way
 * share its commit, each but the first inside a savepoint, so that any of them can fail alone. A caller hears of
 * success only after the commit; when that fails, all of them fail.
 */
export class WriteQueue {
  readonly #writer: Writer;
  readonly #waiting: Turn[] = [];
  #draining: Promise<void> | null = null;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  transact<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        work: async () => {
          const result = await work();
          return () => resolve(result);
        },
        reject,
      });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when nothing is waiting any more. */
  async idle(): Promise<void> {
    while (this.#draining !== null) await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // The engine blocks the event loop: requests that have arrived are read first, so that they share.
      // oxlint-disable-next-line no-await-in-loop -- one writer
      await setImmediate();
      // oxlint-disable-next-line no-await-in-loop -- one writer
      await this.#flushTogether();
    }
    this.#draining = null;
  }

  async #flushTogether(): Promise<void> {
    try {
      await this.#writer.begin();
    } catch (error) {
      this.#waiting.shift()?.reject(error);
      return;
    }
    const until = performance.now() + groupMilliseconds;
    const done: { readonly turn: Turn; readonly acknowledge: () => void }[] = [];
    try {
      do {
        const turn = this.#waiting.shift();
        if (turn === undefined) break;
        // While the transaction holds nothing else, undoing it undoes the turn: no savepoint is needed.
        const alone = done.length === 0;
        // oxlint-disable-next-line no-await-in-loop -- one writer
        const acknowledge = await this.#attempt(turn, alone);
        if (acknowledge !== null) done.push({ turn, acknowledge });
        else if (alone) return;
      } while (performance.now() < until);
      await this.#writer.run("commit");
    } catch (error) {
      if (this.#writer.inTransaction) await this.#writer.run("rollback").catch(() => undefined);
      for (const { turn } of done) turn.reject(error);
      return;
    }
    for (const { acknowledge } of done) acknowledge();
  }

  /**
   * Null where the work failed and was undone: itself only, or with the transaction where it is `alone`
   * in it. Throws when the engine has given the transaction up.
   */
  async #attempt(turn: Turn, alone: boolean): Promise<(() => void) | null> {
    try {
      if (!alone) await this.#writer.run("savepoint turn");
      const acknowledge = await turn.work();
      if (!alone) await this.#writer.run("release turn");
      return acknowledge;
    } catch (error) {
      turn.reject(error);
      if (!this.#writer.inTransaction) throw error;
      await this.#writer.run(alone ? "rollback" : "rollback to turn; release turn");
      return null;
    }
  }
}
