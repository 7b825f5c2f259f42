/** A condition on the values of a row, as a function of this process. A statement takes it as a parameter. */
export class RowTest {
  readonly accepts: (values: readonly unknown[]) => boolean;

  constructor(accepts: (values: readonly unknown[]) => boolean) {
    this.accepts = accepts;
  }
}
