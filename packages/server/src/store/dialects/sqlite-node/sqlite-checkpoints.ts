import { statSync } from "node:fs";
import { moduleBeside, Thread } from "../../../threads/thread.ts";
import { logPath } from "./log-path.ts";
import type { CheckpointRequest } from "./sqlite-checkpoint-thread.ts";

const mebibyte = 2 ** 20;

/**
 * Size of the log in bytes from which checkpoints are made. Bulk inserts change pages often, and a checkpoint
 * copies each page only once. SQLite cuts the file to this size when it starts the log again, so a larger file
 * means that the log is larger.
 */
export const logBytes = 16 * mebibyte;
/** Growth after which a checkpoint that did not reach the end of the log is followed by the next. */
const growthBytes = 4 * mebibyte;
/** Size of the log from which the main thread makes checkpoints, if one of the thread did not help. */
const mostLogBytes = 128 * mebibyte;
/** Maximum number of remaining pages for which a commit waits. */
const fewPages = 500;
/** Time after which an idle thread ends. */
const idleMilliseconds = 60_000;

/**
 * Copies the log into the database file in a thread, because this would block the event loop for long. While
 * others write, the thread never reaches the end of the log, and SQLite cannot start the log again. So a commit waits
 * while the thread copies the last few pages.
 */
export class SqliteCheckpoints {
  readonly #request: CheckpointRequest;
  readonly #log: string;
  readonly #finish: () => void;
  readonly #thread = new Thread<CheckpointRequest, number>(
    moduleBeside(import.meta.url, "sqlite-checkpoint-thread"),
    { stays: false, idleMilliseconds },
  );
  #running = false;
  /** Size of the log when the last checkpoint began; 0 if the log begins anew. */
  #before = 0;
  /** Whether the last checkpoint left only a few pages. */
  #nearEnd = false;

  /** `finish` makes a checkpoint in this thread. */
  constructor(request: CheckpointRequest, finish: () => void) {
    this.#request = request;
    this.#log = logPath(request.path);
    this.#finish = finish;
  }

  /** Called after each commit; the next transaction begins when it resolves. Does not fail. */
  async committed(): Promise<void> {
    if (this.#running) return;
    const size = this.#size();
    // A log that has shrunk was started again.
    if (size < this.#before) this.#before = 0;
    if (size <= logBytes) return;
    const hasGrown = size >= this.#before + growthBytes;
    const isNearEnd = this.#nearEnd;
    if (!hasGrown && !isNearEnd) return;
    const canHelp = this.#before <= mostLogBytes;
    this.#before = size;
    this.#nearEnd = false;
    if (!canHelp) this.#try(this.#finish);
    else if (hasGrown) void this.#checkpoint().then((isNear) => (this.#nearEnd = isNear));
    else await this.#checkpoint();
  }

  async close(): Promise<void> {
    await this.#thread.end();
  }

  #size(): number {
    return this.#try(() => statSync(this.#log).size) ?? 0;
  }

  /** Returns whether it left only a few pages. */
  async #checkpoint(): Promise<boolean> {
    this.#running = true;
    let isNearEnd = false;
    try {
      const pagesLeft = await this.#thread.call(this.#request);
      // If nobody has written since, the next commit starts the log again.
      if (pagesLeft === 0 && this.#size() === this.#before) this.#before = 0;
      else isNearEnd = pagesLeft <= fewPages;
    } catch {
      // See `#try`.
    }
    this.#running = false;
    return isNearEnd;
  }

  /** A checkpoint may fail, because the data is safe in the log. A later one may succeed. */
  #try<Result>(work: () => Result): Result | undefined {
    try {
      return work();
    } catch {
      return undefined;
    }
  }
}
