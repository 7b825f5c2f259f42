import { setImmediate } from "node:timers/promises";

/** A transaction that waits for the transactions before it. */
interface Task {
  /** Does the work. Returns a function that reports success to the caller; it is called after the commit. */
  readonly work: () => Promise<() => void>;
  readonly reject: (error: unknown) => void;
  readonly writer: Writer;
}

/** The statements that the queue runs. Each throws the error that the caller gets. */
export interface Writer {
  /** Waits for the write lock if the engine has one. */
  begin(): Promise<void>;
  /** Resolves once the script and all statements before it have succeeded. */
  run(script: string): Promise<void>;
  /** Like `run`, for a script that undoes a part of the transaction. */
  undo(script: string): Promise<void>;
  /** Like `run`, and ends the transaction. */
  end(script: "commit" | "rollback"): Promise<void>;
  /** False if the engine has ended the transaction itself, as SQLite does on a full disk. */
  readonly inTransaction: boolean;
}

/** A task whose work is done. */
interface Done {
  readonly task: Task;
  readonly acknowledge: () => void;
}

/** Time during which further transactions may join a commit. A running transaction is always finished. */
const groupMilliseconds = 20;

export interface QueueOptions {
  /** Called each time the queue becomes empty. */
  readonly onIdle?: () => void;
  /** Whether a commit takes less time than the wait for transactions that could share it. Default: false. */
  readonly quickCommits?: boolean | undefined;
}

/**
 * Runs transactions one after the other and commits them in groups: transactions that arrive while one runs
 * share its commit. Every transaction except the first runs inside a savepoint, so that it can fail alone.
 * Callers learn of success only after the commit. If the commit fails, all transactions that share it fail.
 */
export class WriteQueue {
  readonly #writer: Writer;
  readonly #onIdle: () => void;
  readonly #quickCommits: boolean;
  #waiting: Task[] = [];
  #draining: Promise<void> | null = null;

  constructor(writer: Writer, { onIdle = () => {}, quickCommits = false }: QueueOptions = {}) {
    this.#writer = writer;
    this.#onIdle = onIdle;
    this.#quickCommits = quickCommits;
  }

  /** Transactions share a commit only with those of the same writer. Default: that of the queue. */
  transact<Result>(work: () => Promise<Result>, writer = this.#writer): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        work: async () => {
          const result = await work();
          return () => resolve(result);
        },
        reject,
        writer,
      });
      this.#draining ??= this.#drain();
    });
  }

  /** The number of transactions that have not begun. */
  get waiting(): number {
    return this.#waiting.length;
  }

  get isWorking(): boolean {
    return this.#draining !== null;
  }

  /** Resolves when the queue is empty. */
  async idle(): Promise<void> {
    while (this.#draining !== null) await this.#draining;
  }

  async #drain(): Promise<void> {
    let waits = !this.#quickCommits;
    while (this.#waiting.length > 0) {
      // Lets requests arrive that can share the commit.
      if (waits) await setImmediate();
      waits = true;
      await this.#commitTogether();
    }
    this.#draining = null;
    this.#onIdle();
  }

  async #commitTogether(): Promise<void> {
    const writer = this.#waiting[0]?.writer ?? this.#writer;
    const tasks = new Set(this.#waiting.filter((task) => task.writer === writer));
    try {
      await writer.begin();
    } catch (error) {
      // All of these have waited at least as long as the engine does. One after the other, they would wait for minutes.
      this.#waiting = this.#waiting.filter((task) => !tasks.has(task));
      for (const task of tasks) task.reject(error);
      return;
    }
    const done: Done[] = [];
    try {
      if (await this.#runTogether(writer, done)) await writer.end("commit");
    } catch (error) {
      if (writer.inTransaction) await writer.end("rollback").catch(() => undefined);
      for (const { task } of done) task.reject(error);
      return;
    }
    for (const { acknowledge } of done) acknowledge();
  }

  /**
   * Runs tasks and adds the successful ones to `done`. Every task except the first runs inside the savepoint
   * `task`. Returns false if the first task failed, which ends the transaction. Throws if the engine has ended the
   * transaction.
   */
  async #runTogether(writer: Writer, done: Done[]): Promise<boolean> {
    const until = performance.now() + groupMilliseconds;
    const isNext = () => this.#waiting[0]?.writer === writer && performance.now() < until;
    let isFirst = true;
    let task = this.#waiting.shift();
    while (task !== undefined) {
      let follows: boolean;
      try {
        const acknowledge = await task.work();
        follows = isNext();
        const script = [
          ...(isFirst ? [] : ["release task"]),
          ...(follows ? ["savepoint task"] : []),
        ];
        if (script.length > 0) await writer.run(script.join("; "));
        done.push({ task, acknowledge });
        isFirst = false;
      } catch (error) {
        task.reject(error);
        if (!writer.inTransaction) throw error;
        if (isFirst) {
          await writer.end("rollback");
          return false;
        }
        // The savepoint stays for the next task.
        await writer.undo("rollback to task");
        follows = isNext();
      }
      task = follows ? this.#waiting.shift() : undefined;
    }
    return true;
  }
}
