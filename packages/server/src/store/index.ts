export type { Connection, Database, Reader } from "./dialects/dialect.ts";
export type { Sql } from "./dialects/sql.ts";
export type {
  SqliteDriver,
  SqliteHandle,
  SqliteStatement,
  SqliteValue,
} from "./dialects/sqlite/driver.ts";
export { sqliteDatabase, type SqliteParts } from "./dialects/sqlite/sqlite-database.ts";
export { openStore, type StoreOptions } from "./open-store.ts";
export { instantText } from "./reading/view.ts";
export { servedPart } from "./rows/record-parts.ts";
export {
  CursorError,
  DuplicateRecordError,
  LeaseLostError,
  RequestTakenError,
  StalePositionError,
  StoreBusyError,
  StoreError,
  StoreFullError,
  StoreOpenFilesError,
  StoreReadOnlyError,
  StoreTimeoutError,
  StoreUnavailableError,
  TextTooLongError,
  UnknownRowsError,
} from "./types/errors.ts";
export { jobStates, type ClaimedJob, type Job, type Schedule } from "./types/job.ts";
export { perStore } from "./types/per-store.ts";
export * from "./types/types.ts";
export { dueAt, dueKind } from "./writing/due-instants.ts";
export { scanMilliseconds } from "./writing/sweep.ts";
