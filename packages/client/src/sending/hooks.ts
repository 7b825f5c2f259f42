import type { ClientError } from "../wire/errors.ts";
import type { ControlOperationId, OperationId } from "../generated/names.ts";

/** The request that an event belongs to. It has no parameters, bodies or headers, which may be secret. */
export interface RequestEvent {
  /** Identifies the call within the process; retries have the same number. */
  readonly call: number;
  /** `download` for the link of a file. */
  readonly operationId: OperationId | ControlOperationId | "download";
  readonly method: string;
  /** URL of the API, without a slash at its end. */
  readonly baseUrl: string;
  /** The path with parameters in braces, as in the document. For a link, its absolute URL without the query. */
  readonly path: string;
  /** 1 for the first request of a call; 0 if the call failed before it, because it got no token. */
  readonly attempt: number;
  readonly startedAt: Date;
}

export interface ResponseEvent extends RequestEvent {
  readonly status: number;
  /** Time from the request to the headers of the response. */
  readonly milliseconds: number;
  /** Identifies the response in the server's log. */
  readonly traceId: string | undefined;
}

export interface EndEvent extends RequestEvent {
  /** Undefined without a response. */
  readonly status: number | undefined;
  /**
   * The error of this request: a `ClientError`, or the reason of the call's signal. Undefined if
   * there was a response that was read, or that a retry follows.
   */
  readonly error: unknown;
  /** Time from the request to the end of its response; for a stream and for `raw`, to the end of the headers. */
  readonly milliseconds: number;
}

export interface RetryEvent extends RequestEvent {
  /** Why the request is repeated: its status, or undefined without a response. */
  readonly status: number | undefined;
  /** The error of `fetch`, without a response. */
  readonly cause: unknown;
  readonly waitMilliseconds: number;
}

export interface ErrorEvent extends RequestEvent {
  readonly error: ClientError;
  /** Time since the start of the call. */
  readonly milliseconds: number;
}

/** Functions that are called for each request. An error that they throw fails the call. */
export interface Hooks {
  /** Before each request. The returned headers are added to it, for example `traceparent`. */
  readonly onRequest?:
    ((event: RequestEvent) => Readonly<Record<string, string>> | undefined | void) | undefined;
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called once after each request: its response was read, or it failed or was aborted. */
  readonly onEnd?: ((event: EndEvent) => void) | undefined;
  /** Before the wait for a retry. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  /** After the last attempt of a call that failed. An abort is no failure. */
  readonly onError?: ((event: ErrorEvent) => void) | undefined;
}
