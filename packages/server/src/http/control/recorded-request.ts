import type { RecordedRequest } from "@security-platform/spec";

/** Conditions on requests, all of which must hold. */
export interface RequestFilter {
  readonly operation_id?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  readonly fault?: number | undefined;
  /** Selects requests with a greater number. */
  readonly after?: number | undefined;
}

/** The requests that a platform received. */
export interface RecordedRequests {
  /** The requests that satisfy a filter, oldest first. Throws `RangeError` for an unknown member or operation. */
  list(filter?: RequestFilter): readonly RecordedRequest[];
  /** Resolves once at least `count` requests that satisfy the filter have ended. Rejects with the signal's reason. */
  waitFor(
    filter?: RequestFilter,
    options?: { readonly count?: number; readonly signal?: AbortSignal },
  ): Promise<readonly RecordedRequest[]>;
  clear(): void;
}
