import { setImmediate } from "node:timers/promises";

/** A turn of the event loop accepts one connection, and a commit blocks the loop. */
const turnsBetweenCommits = 16;

/** Lets requests arrive before a commit: on new connections too, and so that they can share it. */
async function letOthersIn(): Promise<void> {
  for (let turn = 0; turn < turnsBetweenCommits; turn += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one turn after the other
    await setImmediate();
  }
}

/** A transaction that waits for those before it. */
interface Task {
  /** Does the work. Returns what tells its caller of the success, to be called after the commit. */
  readonly work: () => Promise<() => void>;
  readonly reject: (error: unknown) => void;
}

/** The statements that the queue runs. Each throws the error that the caller gets. */
export interface Writer {
  /** Waits for the write lock, where the engine has one. */
  begin(): Promise<void>;
  /** Resolves once the script and all statements before it have succeeded. */
  run(script: string): Promise<void>;
  /** As `run`, for a script that undoes a part of the transaction. */
  undo(script: string): Promise<void>;
  /** As `run`, and ends the transaction. */
  end(script: "commit" | "rollback"): Promise<void>;
  /** False if the engine has ended the transaction by itself, as SQLite does on a full disk. */
  readonly inTransaction: boolean;
}

/** The outcome of a task; `acknowledge` is null if it failed. `more`: another one joins the transaction. */
interface Attempt {
  readonly acknowledge: (() => void) | null;
  readonly more: boolean;
}

/** A finished transaction waits at most this long for others to share its commit, beyond their own work. */
const groupMilliseconds = 20;

/**
 * Runs transactions one after the other and commits them together: those that arrive while one runs share
 * its commit. Each but the first runs inside a savepoint, so that it can fail alone. Callers learn of
 * success only after the commit. If the commit fails, all transactions that share it fail.
 */
export class WriteQueue {
  readonly #writer: Writer;
  readonly #onIdle: () => void;
  readonly #waiting: Task[] = [];
  #draining: Promise<void> | null = null;

  /** `onIdle` is called whenever nothing is waiting any more. */
  constructor(writer: Writer, onIdle = () => {}) {
    this.#writer = writer;
    this.#onIdle = onIdle;
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
      // oxlint-disable-next-line no-await-in-loop -- one writer
      await letOthersIn();
      // oxlint-disable-next-line no-await-in-loop -- one writer
      await this.#commitTogether();
    }
    this.#draining = null;
    this.#onIdle();
  }

  async #commitTogether(): Promise<void> {
    try {
      await this.#writer.begin();
    } catch (error) {
      this.#waiting.shift()?.reject(error);
      return;
    }
    const until = performance.now() + groupMilliseconds;
    const takesMore = (): boolean => this.#waiting.length > 0 && performance.now() < until;
    const done: { readonly task: Task; readonly acknowledge: () => void }[] = [];
    try {
      let more: boolean;
      do {
        const task = this.#waiting.shift();
        if (task === undefined) break;
        const isFirst = done.length === 0;
        // oxlint-disable-next-line no-await-in-loop -- one writer
        const attempt = await this.#attempt(task, isFirst, takesMore);
        if (attempt.acknowledge !== null) done.push({ task, acknowledge: attempt.acknowledge });
        else if (isFirst) return;
        ({ more } = attempt);
      } while (more);
      await this.#writer.end("commit");
    } catch (error) {
      if (this.#writer.inTransaction) await this.#writer.end("rollback").catch(() => undefined);
      for (const { task } of done) task.reject(error);
      return;
    }
    for (const { acknowledge } of done) acknowledge();
  }

  /**
   * Runs a task, each but the first inside the savepoint `task`, and opens one for the next task. If the
   * work failed it was undone; for the first task, the transaction has ended then. Throws if the engine
   * has ended the transaction.
   */
  async #attempt(task: Task, isFirst: boolean, takesMore: () => boolean): Promise<Attempt> {
    try {
      const acknowledge = await task.work();
      const more = takesMore();
      // In one script, because each costs a round trip. It shows failures before the next task begins.
      const script = [...(isFirst ? [] : ["release task"]), ...(more ? ["savepoint task"] : [])];
      if (script.length > 0) await this.#writer.run(script.join("; "));
      return { acknowledge, more };
    } catch (error) {
      task.reject(error);
      if (!this.#writer.inTransaction) throw error;
      // The first task needs no savepoint: undoing the transaction undoes it.
      if (isFirst) await this.#writer.end("rollback");
      // The savepoint stays, for the next task.
      else await this.#writer.undo("rollback to task");
      return { acknowledge: null, more: takesMore() };
    }
  }
}
