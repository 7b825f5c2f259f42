export { openStore } from "./open-store.ts";
export { defaultPostgresLimits, type PostgresLimits } from "./dialects/postgres/postgres.ts";
export { servedPart } from "./rows/record-parts.ts";
export {
  CursorError,
  DuplicateRecordError,
  LeaseLostError,
  StalePositionError,
  StoreBusyError,
  StoreError,
  StoreFullError,
  StoreOpenFilesError,
  StoreReadOnlyError,
  StoreTimeoutError,
  StoreUnavailableError,
  TextTooLongError,
} from "./types/errors.ts";
export { jobStates, type ClaimedJob, type Job, type JobState, type Schedule } from "./types/job.ts";
export * from "./types/types.ts";
export { dueAt, dueKind } from "./writing/due-instants.ts";
export { scanMilliseconds } from "./writing/sweep.ts";
