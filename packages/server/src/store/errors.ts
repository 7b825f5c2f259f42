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
