import type { OperationId } from "@security-platform/spec";
import type { RateLimit } from "./response-info.ts";
import type { RecordOf } from "./types.ts";

/**
 * The base of all errors of this client, except `TypeError` and `RangeError` for a call that cannot
 * be sent.
 */
export class ClientError extends Error {
  override readonly name: string = "ClientError";
}

/**
 * The operation of a failed call. It contains nothing else of the request, because parameters and
 * bodies may be secret.
 */
export interface FailedOperation {
  readonly operationId: OperationId;
  readonly method: string;
  /** With parameters in braces, as in the document. */
  readonly path: string;
}

/** A call that was sent and failed. */
export abstract class CallError extends ClientError implements FailedOperation {
  readonly operationId: OperationId;
  readonly method: string;
  readonly path: string;

  constructor(operation: FailedOperation, message: string, options?: ErrorOptions) {
    const { operationId, method, path } = operation;
    super(`${operationId} (${method} ${path}) ${message}`, options);
    this.operationId = operationId;
    this.method = method;
    this.path = path;
  }
}

/** No response: no connection, or an interrupted one. `cause` is the error of `fetch`. */
export class NetworkError extends CallError {
  override readonly name: string = "NetworkError";
}

/** No complete response within the time limit. */
export class TimeoutError extends NetworkError {
  override readonly name: string = "TimeoutError";
}

/** A response that does not come from the API, but from another service or a proxy. */
export class UnexpectedResponseError extends CallError {
  override readonly name: string = "UnexpectedResponseError";
  readonly status: number;

  constructor(operation: FailedOperation, status: number, message: string) {
    super(operation, `received an unexpected response: ${message}`);
    this.status = status;
  }
}

/** One entry of the Envelope's `errors`. */
export interface ErrorEntry {
  /** An HTTP status. */
  readonly code: number;
  readonly message: string;
  /** The record that the entry concerns, if any. */
  readonly id?: string;
}

/** The content of an error response. */
export interface Refusal {
  readonly status: number;
  readonly errors: readonly ErrorEntry[];
  readonly traceId: string | undefined;
  readonly rateLimit: RateLimit | undefined;
  /** Seconds to wait before a retry, if the server sends them (429, 503). */
  readonly retryAfterSeconds: number | undefined;
}

/** The server rejected the call, or failed. */
export class ApiError extends CallError implements Refusal {
  override readonly name: string = "ApiError";
  readonly status: number;
  readonly errors: readonly ErrorEntry[];
  readonly traceId: string | undefined;
  readonly rateLimit: RateLimit | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(operation: FailedOperation, refusal: Refusal) {
    super(operation, describe(refusal));
    this.status = refusal.status;
    this.errors = refusal.errors;
    this.traceId = refusal.traceId;
    this.rateLimit = refusal.rateLimit;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
  }
}

/** 400: `errors` lists all violations with their places. */
export class InvalidRequestError extends ApiError {
  override readonly name: string = "InvalidRequestError";
}

/** 401: no token was granted, or a new one was rejected too; see `operationId`. */
export class AuthenticationError extends ApiError {
  override readonly name: string = "AuthenticationError";
}

/** 403: the token lacks a scope, or the caller lacks a permission. */
export class PermissionError extends ApiError {
  override readonly name: string = "PermissionError";
  /** The missing scope, if that is the reason. */
  readonly missingScope: string | undefined;

  constructor(operation: FailedOperation, refusal: Refusal, missingScope: string | undefined) {
    super(operation, refusal);
    this.missingScope = missingScope;
  }
}

/** 404: some of the requested ids do not exist; `errors` names them. */
export class NotFoundError<Item = unknown> extends ApiError {
  override readonly name: string = "NotFoundError";
  /** The requested records that do exist; `isNotFound` narrows their type. */
  readonly found: readonly Item[];

  constructor(operation: FailedOperation, refusal: Refusal, found: readonly Item[]) {
    super(operation, refusal);
    this.found = found;
  }
}

/**
 * Whether a call of this operation failed because some of its ids do not exist. It narrows the type
 * of `found` to the operation's records.
 */
export function isNotFound<Id extends OperationId>(
  error: unknown,
  operationId: Id,
): error is NotFoundError<RecordOf<Id>> {
  return error instanceof NotFoundError && error.operationId === operationId;
}

/** 409: a duplicate, or a state that prevents the change. */
export class ConflictError extends ApiError {
  override readonly name: string = "ConflictError";
}

/** 429: wait `retryAfterSeconds`. */
export class RateLimitError extends ApiError {
  override readonly name: string = "RateLimitError";
}

/** 5xx: the server failed; `traceId` identifies the error in its log. */
export class ServerError extends ApiError {
  override readonly name: string = "ServerError";
}

function describe({ status, errors, traceId }: Refusal): string {
  const [first, ...rest] = errors;
  const reason = first === undefined ? "no reason" : first.message;
  const more = rest.length === 0 ? "" : ` (and ${rest.length} more)`;
  const trace = traceId === undefined ? "" : `; trace id ${traceId}`;
  return `failed with status ${status}: ${reason}${more}${trace}`;
}
