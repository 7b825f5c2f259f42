import type { DatabaseSync } from "node:sqlite";
import { answerCalls } from "../../../threads/answer-calls.ts";
import { openSqliteFile } from "./sqlite-statements.ts";

export interface CheckpointRequest {
  readonly path: string;
  readonly pragmas: string;
}

let opened: DatabaseSync | undefined;

/**
 * Makes checkpoints of one file. Returns how many pages of the log are not in the database file yet; infinity if
 * another process is making a checkpoint.
 */
answerCalls(({ path, pragmas }: CheckpointRequest): number => {
  opened ??= openSqliteFile(path, pragmas);
  return pagesLeft(opened);
});

function pagesLeft(database: DatabaseSync): number {
  const row = database.prepare("pragma wal_checkpoint(passive)").get();
  const pages = Number(row?.["log"]);
  return pages < 0 ? Infinity : pages - Number(row?.["checkpointed"]);
}
