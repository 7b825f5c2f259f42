import { answerCalls } from "../../../threads/answer-calls.ts";
import type { SqliteHandle } from "../sqlite/driver.ts";
import { openWithPragmas } from "../sqlite/sqlite-statements.ts";
import { nodeDriver } from "./node-driver.ts";

export interface CheckpointRequest {
  readonly path: string;
  readonly pragmas: string;
}

let opened: SqliteHandle | undefined;

/**
 * Makes checkpoints of one file. Returns how many pages of the log are not in the database file yet; infinity if
 * another process is making a checkpoint.
 */
answerCalls(({ path, pragmas }: CheckpointRequest): number => {
  opened ??= openWithPragmas(nodeDriver, path, pragmas);
  return pagesLeft(opened);
});

function pagesLeft(handle: SqliteHandle): number {
  const statement = handle.prepare("pragma wal_checkpoint(passive)");
  const [[_busy, pages, checkpointed]] = statement.tuples([]) as [[number, number, number]];
  return pages < 0 ? Infinity : pages - checkpointed;
}
