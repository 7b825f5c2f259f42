/** A live record of the tenant has the same id or unique key. */
export class DuplicateRecordError extends Error {
  readonly resource: string;
  readonly keys: readonly string[];
  constructor(resource: string, keys: readonly string[]) {
    super(`${resource}: ${keys.join(", ")} exists already`);
    this.name = "DuplicateRecordError";
    this.resource = resource;
    this.keys = keys;
  }
}

/** A text is too long for the index of its field. */
export class TextTooLongError extends Error {
  override readonly name = "TextTooLongError";
  readonly field: string;
  readonly bytes: number;
  constructor(field: string, bytes: number) {
    super(`${field} is indexed and takes at most ${bytes} bytes of UTF-8`);
    this.field = field;
    this.bytes = bytes;
  }
}

/** Another attempt of the request with this idempotency key has made a change first. Nothing was written. */
export class RequestTakenError extends Error {
  override readonly name = "RequestTakenError";
}

/** The database cannot be opened or used; the message says what to do. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

/** What is to fill the database, such as a backup, is of a newer version. */
export class UnknownRowsError extends StoreError {}

/** Another process locked the database for longer than a write waits. The write may succeed later. */
export class StoreBusyError extends StoreError {}

/** The database ended a statement at its time limit. Nothing was written. */
export class StoreTimeoutError extends StoreError {}

/** The disk or the database has no space left. Nothing was written. */
export class StoreFullError extends StoreError {}

/** The process or the system has too many open files. Nothing was written. */
export class StoreOpenFilesError extends StoreError {}

/** The database is unavailable. The same work may succeed later, without a restart. */
export class StoreUnavailableError extends StoreError {
  /** Such errors come by the thousand, so the log takes one per second. */
  readonly isOutage = true;
}

/** The database accepts no writes: its address leads to a standby. */
export class StoreReadOnlyError extends StoreUnavailableError {}

/** A cursor refers to a state of the data that no longer exists. */
export class StalePositionError extends Error {
  override readonly name = "StalePositionError";
}

/** A cursor that this server did not create, or that was changed later. */
export class CursorError extends Error {
  override readonly name = "CursorError";
}

/** The process has lost the lease of the job, and another process may run it. Nothing was written. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}
