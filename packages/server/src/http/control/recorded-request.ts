/** A request and what was sent for it. */
export interface RecordedRequest {
  /** 1 for the first request since the last reset. */
  readonly number: number;
  /** RFC 3339, by the platform's clock. */
  readonly at: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** With lower-case names. Credentials are replaced by `(hidden)`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON value or the members of a form. Absent: no body, or one that could not be read. */
  body?: unknown;
  /** Null: the request belongs to no operation. */
  operation_id: string | null;
  /** The id of the fault that decided about the response. Null: none did. */
  fault: number | null;
  /** Null: nothing was sent, or nothing yet. */
  status: number | null;
  response_headers: Readonly<Record<string, string>>;
  /** The JSON value, or a text. Absent: no body, or a file. */
  response?: unknown;
  /** Whether the response has been sent or the connection was closed. */
  ended: boolean;
}

/** Conditions on requests, all of which must hold. */
export interface RequestFilter {
  readonly operation_id?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  readonly fault?: number | undefined;
  /** Only requests with a greater number. */
  readonly after?: number | undefined;
}

/** The requests that a platform received. */
export interface RecordedRequests {
  /** The requests that satisfy a filter, oldest first. */
  list(filter?: RequestFilter): readonly RecordedRequest[];
  /** Resolves once at least `count` requests that satisfy the filter have ended. Rejects with the signal's reason. */
  waitFor(
    filter?: RequestFilter,
    options?: { readonly count?: number; readonly signal?: AbortSignal },
  ): Promise<readonly RecordedRequest[]>;
  clear(): void;
}
