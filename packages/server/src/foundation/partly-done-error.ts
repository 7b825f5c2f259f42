/** The cause made one of several transactions fail. The message says what those before it have stored. */
export class PartlyDoneError extends Error {
  override readonly name = "PartlyDoneError";
  /** Whether the log takes one such error per second: see `StoreUnavailableError`. */
  get isOutage(): boolean {
    return (this.cause as { readonly isOutage?: boolean } | undefined)?.isOutage === true;
  }
}
