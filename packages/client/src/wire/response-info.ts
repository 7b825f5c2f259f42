/** Maximum requests per minute, and how many of them are left. */
export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
}

/** The response without its data. */
export interface ResponseInfo {
  readonly status: number;
  readonly headers: Headers;
  /** Identifies the response in the server's log. */
  readonly traceId: string | undefined;
  readonly rateLimit: RateLimit | undefined;
}
