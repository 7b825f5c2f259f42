import { setImmediate } from "node:timers/promises";
import type { Ahead } from "./dialect.ts";

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
  /**
   * Does the work. Returns what tells its caller of the success, to be called after the commit. Work that
   * was undone may run again.
   */
  readonly work: () => Promise<() => void>;
  readonly reject: (error: unknown) => void;
  readonly ahead: Ahead | null;
  /** The queue has looked up what is ahead. */
  looked: boolean;
}

/** The statements that the queue runs. Each throws the error that the caller gets. */
export interface Writer {
  /** Waits for the write lock, where the engine has one. */
  begin(): Promise<void>;
  /** Resolves once the script and all statements before it have succeeded. */
  run(script: string): Promise<void>;
  /** As `run`, for a script that undoes a part of the transaction. */
  undo(script: string): Promise<void>;
  /** Looks up, without waiting, what waiting transactions will look up. Absent where this saves nothing. */
  lookAhead?(waiting: readonly Ahead[]): void;
  /** As `run`, and ends the transaction. */
  end(script: "commit" | "rollback"): Promise<void>;
  /** False if the engine has ended the transaction by itself, as SQLite does on a full disk. */
  readonly inTransaction: boolean;
}

/** A task whose work is done. */
interface Done {
  readonly task: Task;
  readonly acknowledge: () => void;
}

/** A task whose last statements may still fail. */
interface Unconfirmed extends Done {
  readonly isFirst: boolean;
  readonly confirmed: Promise<void>;
}

type Outcome = { readonly acknowledge: () => void } | { readonly error: unknown };

/**
 * A finished transaction waits at most this long for others to share its commit, beyond their own work and
 * those that have looked ahead.
 */
const groupMilliseconds = 20;
/** Transactions that look ahead together. */
const lookAheadTogether = 32;

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

  transact<Result>(work: () => Promise<Result>, ahead: Ahead | null = null): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        work: async () => {
          const result = await work();
          return () => resolve(result);
        },
        reject,
        ahead,
        looked: false,
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
    const done: Done[] = [];
    try {
      if (await this.#runTogether(done)) await this.#writer.end("commit");
    } catch (error) {
      if (this.#writer.inTransaction) await this.#writer.end("rollback").catch(() => undefined);
      for (const { task } of done) task.reject(error);
      return;
    }
    for (const { acknowledge } of done) acknowledge();
  }

  /**
   * Runs tasks, each but the first inside the savepoint `task`, and adds those that succeeded to `done`.
   * Saves a round trip by running a task before the end of the previous one is confirmed; if that failed,
   * the task is undone and runs again. False if the first task failed, which ends the transaction. Throws
   * if the engine has ended it.
   */
  async #runTogether(done: Done[]): Promise<boolean> {
    const until = performance.now() + groupMilliseconds;
    const takesMore = (): boolean =>
      this.#waiting[0]?.looked === true || (this.#waiting.length > 0 && performance.now() < until);
    const next = (): Task | undefined => (takesMore() ? this.#waiting.shift() : undefined);
    let isFirst = true;
    let previous: Unconfirmed | null = null;
    let task = this.#waiting.shift();
    while (task !== undefined) {
      // oxlint-disable-next-line no-await-in-loop -- one writer
      const outcome = await outcomeOf(task);
      if (previous !== null) {
        // oxlint-disable-next-line no-await-in-loop -- see above
        const failure = await this.#confirm(previous, done);
        if (failure !== null) {
          if (!this.#writer.inTransaction) this.#waiting.unshift(task);
          // oxlint-disable-next-line no-await-in-loop -- see above
          await this.#undo(failure.error, previous.isFirst);
          if (previous.isFirst) {
            this.#waiting.unshift(task);
            return false;
          }
          previous = null;
          continue;
        }
        previous = null;
      }
      if ("error" in outcome) {
        task.reject(outcome.error);
        // oxlint-disable-next-line no-await-in-loop -- see above
        await this.#undo(outcome.error, isFirst);
        if (isFirst) return false;
        // The savepoint stays, for the next task.
        task = next();
        continue;
      }
      if (takesMore()) this.#lookAhead();
      const following = next();
      const script = [
        ...(isFirst ? [] : ["release task"]),
        ...(following === undefined ? [] : ["savepoint task"]),
      ];
      if (script.length === 0) {
        done.push({ task, ...outcome });
      } else {
        const confirmed = this.#writer.run(script.join("; "));
        confirmed.catch(() => undefined);
        previous = { task, ...outcome, isFirst, confirmed };
      }
      isFirst = false;
      task = following;
    }
    if (previous !== null) {
      const failure = await this.#confirm(previous, done);
      if (failure !== null) await this.#undo(failure.error, previous.isFirst);
    }
    return true;
  }

  /** Lets the next task and those after it look up together what they need. */
  #lookAhead(): void {
    const [next] = this.#waiting;
    if (this.#writer.lookAhead === undefined || next === undefined || next.looked) return;
    const together = this.#waiting.slice(0, lookAheadTogether);
    const ahead = together.flatMap((task) => task.ahead ?? []);
    if (next.ahead === null) return;
    for (const task of together) task.looked = task.ahead !== null;
    this.#writer.lookAhead(ahead);
  }

  /** Waits until the task's statements have succeeded, and tells its caller otherwise. */
  async #confirm(unconfirmed: Unconfirmed, done: Done[]): Promise<{ error: unknown } | null> {
    try {
      await unconfirmed.confirmed;
    } catch (error) {
      unconfirmed.task.reject(error);
      return { error };
    }
    done.push(unconfirmed);
    return null;
  }

  /** Undoes a task. The first one has no savepoint: undoing the transaction undoes it. */
  async #undo(error: unknown, isFirst: boolean): Promise<void> {
    if (!this.#writer.inTransaction) throw error;
    if (isFirst) await this.#writer.end("rollback");
    else await this.#writer.undo("rollback to task");
  }
}

async function outcomeOf({ work }: Task): Promise<Outcome> {
  try {
    return { acknowledge: await work() };
  } catch (error) {
    return { error };
  }
}
