/**
 * A condition on the values of a row, as a function in this process. It is passed to a statement as a
 * parameter.
 */
export class RowTest {
  readonly accepts: (values: readonly unknown[]) => boolean;

  constructor(accepts: (values: readonly unknown[]) => boolean) {
    this.accepts = accepts;
  }
}
