/** Options of one call. */
export interface CallOptions {
  /** Aborts the call: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * For one request including its response; overrides the client's setting. `Infinity` for no
   * limit.
   */
  readonly timeoutMilliseconds?: number | undefined;
}
