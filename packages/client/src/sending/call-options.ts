/** Options of one call. */
export interface CallOptions {
  /** Aborts the call: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Limit for each request including its response. Overrides the client's setting; `Infinity` for no limit.
   */
  readonly timeoutMilliseconds?: number | undefined;
  /** Maximum number of retries. Overrides the client's setting; 0 for none. */
  readonly retries?: number | undefined;
  /** No retry starts later than this after the call. Overrides the client's setting. */
  readonly retryWithinMilliseconds?: number | undefined;
  /** Headers to add. Those that the client sets itself cannot be replaced. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as `Idempotency-Key`. This server ignores it, so it does not make a repeated request safe yet. */
  readonly idempotencyKey?: string | undefined;
}

/** Options of a wait. `signal` ends the wait, not the work; the others are those of each call that reads it. */
export interface WaitOptions<Item> extends Omit<CallOptions, "idempotencyKey"> {
  /** No read of the record starts later than this. Default: 600,000; `Infinity` for no limit. */
  readonly withinMilliseconds?: number | undefined;
  /** Called with the record each time it was read. */
  readonly onProgress?: ((record: Item) => void) | undefined;
}

/** Options of the call of a list operation. */
export interface ListOptions extends CallOptions {
  /** Requests each page while the previous one is used. Default: false. */
  readonly readAhead?: boolean | undefined;
}
