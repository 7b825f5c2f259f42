/** What a `RowTest` was made from, as plain data. */
export interface RowTestSource {
  readonly shape: unknown;
  /** The fields of the shape whose values are lists. */
  readonly arrays: readonly string[];
}

/**
 * A condition on the values of a row, as a function in this process. It is passed to a statement as a
 * parameter.
 */
export class RowTest {
  readonly accepts: (values: readonly unknown[]) => boolean;
  /** Another thread makes the function from it. */
  readonly source: RowTestSource;

  constructor(accepts: (values: readonly unknown[]) => boolean, source: RowTestSource) {
    this.accepts = accepts;
    this.source = source;
  }
}
