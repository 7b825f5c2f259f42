/** Options of one call. */
export interface CallOptions {
  /** Aborts the call: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Limit for one request including its response. Overrides the client's setting; `Infinity` for no limit.
   */
  readonly timeoutMilliseconds?: number | undefined;
}
