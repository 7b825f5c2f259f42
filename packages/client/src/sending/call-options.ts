/** Options of one call. */
export interface CallOptions {
  /** Aborts the call: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Limit for each request including its response, or for the next piece of a file. Overrides the client's setting; `Infinity` for no limit.
   */
  readonly timeoutMilliseconds?: number | undefined;
  /** Maximum number of retries. Overrides the client's setting; 0 for none. */
  readonly retries?: number | undefined;
  /** Time after the start of the call in which retries may start. Overrides the client's setting. */
  readonly retryWithinMilliseconds?: number | undefined;
  /** Headers to add. Those that the client sets itself cannot be replaced. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Sent as `Idempotency-Key`, 1 to 255 visible ASCII characters: a later call with the same key and input, from any
   * process, gets the first response again for 24 hours. Default: a new key for each call.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Options of a wait. `signal` ends the wait, not the work; the others are those of each call that reads it. */
export interface WaitOptions<Item> extends Omit<CallOptions, "idempotencyKey"> {
  /** Time in which the record is read again. Default: 600,000; `Infinity` for no limit. */
  readonly withinMilliseconds?: number | undefined;
  /** Called with the record each time it was read. */
  readonly onProgress?: ((record: Item) => void) | undefined;
}

/** How far a file was sent or received. */
export interface FileProgress {
  /** Bytes of the file in this attempt. They start again at 0 when the call is retried. */
  readonly transferredBytes: number;
  /** Undefined if the size is not known, such as that of a stream. */
  readonly totalBytes: number | undefined;
  /** 1 for the first request of the call. */
  readonly attempt: number;
}

/**
 * Options of a call that sends or receives a file. `timeoutMilliseconds` is then the longest time without a
 * byte, however long the whole file takes.
 */
export interface FileOptions extends CallOptions {
  /** Called for each piece of the file. An error that it throws fails the call. */
  readonly onProgress?: ((progress: FileProgress) => void) | undefined;
}

/** Options of the call of a list operation. */
export interface ListOptions extends CallOptions {
  /** Requests each page while the previous one is used. Default: false. */
  readonly readAhead?: boolean | undefined;
}
