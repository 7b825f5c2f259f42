/** An id or a unique key is taken by a live record of the tenant. */
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

/** The database cannot be opened or used; the message says what to do. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

/** Another process held the database for longer than a write waits; the same write may succeed later. */
export class StoreBusyError extends StoreError {}

/** The database is away; the same work may succeed once it is back, without a restart. */
export class StoreUnavailableError extends StoreError {
  /** Such errors come by the thousand: the log takes one a second. */
  readonly isOutage = true;
}

/** A cursor points to a state of the data that is no longer kept. */
export class StalePositionError extends Error {
  override readonly name = "StalePositionError";
}

/** A cursor that this server did not make, or that was changed on the way. */
export class CursorError extends Error {
  override readonly name = "CursorError";
}

/** A job's lease ended or was taken away: another process may run the job. Nothing was written. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}
