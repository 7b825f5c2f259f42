/** One attempt to carry out a request that has an idempotency key. */
export interface KeyedRequest {
  /** Hash of the tenant, the API client and the key. */
  readonly hash: string;
  /** Hash of what is requested: method, URL and body. */
  readonly fingerprint: string;
  /** Differs for each attempt. */
  readonly attempt: string;
  readonly startedAt: Date;
}

/** A response as it was sent first. */
export interface StoredResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What is known of an earlier request with the same key. */
export interface EarlierRequest extends Pick<KeyedRequest, "fingerprint" | "startedAt"> {
  /** Null: it has changed something, but its response is not stored, or not yet. */
  readonly answer: StoredResponse | null;
}

/** Responses to requests with idempotency keys. Each is kept for 24 hours from its start. */
export interface KeyedRequests {
  /** The latest request with this hash that has changed something or has a response. */
  find(hash: string, now: Date): Promise<EarlierRequest | null>;
  /** Keeps the response. False, with no effect, if another attempt was first. */
  keep(request: KeyedRequest, answer: StoredResponse): Promise<boolean>;
  /** Deletes requests whose time is over. Returns their number. */
  purge(now: Date): Promise<number>;
}
