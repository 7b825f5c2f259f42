import type { OperationId } from "@security-platform/spec";
import type { RateLimit } from "./answer.ts";
import type { RecordOf } from "./types.ts";

/** Everything this client throws, except `TypeError` and `RangeError` for a call that cannot be sent. */
export class ClientError extends Error {
  override readonly name: string = "ClientError";
}

/** The operation a failed call was of. Never more of the request: parameters and bodies can be secret. */
export interface FailedOperation {
  readonly operationId: OperationId;
  readonly method: string;
  /** As documented, with its parameters in braces. */
  readonly path: string;
}

/** A call that was sent and did not succeed. */
export abstract class CallError extends ClientError implements FailedOperation {
  readonly operationId: OperationId;
  readonly method: string;
  readonly path: string;

  constructor(operation: FailedOperation, what: string, options?: ErrorOptions) {
    const { operationId, method, path } = operation;
    super(`${operationId} (${method} ${path}) ${what}`, options);
    this.operationId = operationId;
    this.method = method;
    this.path = path;
  }
}

/** No answer came: no connection, or one that broke. `cause` is what `fetch` threw. */
export class NetworkError extends CallError {
  override readonly name: string = "NetworkError";
}

/** No complete answer came in time. */
export class TimeoutError extends NetworkError {
  override readonly name: string = "TimeoutError";
}

/** An answer that the API does not give: another service answered, or something on the way. */
export class UnexpectedResponseError extends CallError {
  override readonly name: string = "UnexpectedResponseError";
  readonly status: number;

  constructor(operation: FailedOperation, status: number, what: string) {
    super(operation, `got an unexpected answer: ${what}`);
    this.status = status;
  }
}

/** One entry of the Envelope's `errors`. */
export interface ErrorEntry {
  /** An HTTP status. */
  readonly code: number;
  readonly message: string;
  /** The record the entry is about, where it is about one. */
  readonly id?: string;
}

/** What the server said of a call that it refused. */
export interface Refusal {
  readonly status: number;
  readonly errors: readonly ErrorEntry[];
  readonly traceId: string | undefined;
  readonly rateLimit: RateLimit | undefined;
  /** Seconds to wait before the next try, where the server says so (429, 503). */
  readonly retryAfterSeconds: number | undefined;
}

/** The server refused the call, or failed. */
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

/** 400: `errors` tells everything that is wrong with the request, with the places. */
export class InvalidRequestError extends ApiError {
  override readonly name: string = "InvalidRequestError";
}

/** 401: no token was granted, or a fresh one was refused too. `operationId` tells which. */
export class AuthenticationError extends ApiError {
  override readonly name: string = "AuthenticationError";
}

/** 403: the token lacks a scope, or the caller may not do this. */
export class PermissionError extends ApiError {
  override readonly name: string = "PermissionError";
  /** The scope that is missing, where that is the reason. */
  readonly missingScope: string | undefined;

  constructor(operation: FailedOperation, refusal: Refusal, missingScope: string | undefined) {
    super(operation, refusal);
    this.missingScope = missingScope;
  }
}

/** 404: some of the ids asked for do not exist; `errors` names them. */
export class NotFoundError<Item = unknown> extends ApiError {
  override readonly name: string = "NotFoundError";
  /** The records of the same call that do exist; `isNotFound` gives them their type. */
  readonly found: readonly Item[];

  constructor(operation: FailedOperation, refusal: Refusal, found: readonly Item[]) {
    super(operation, refusal);
    this.found = found;
  }
}

/**
 * Whether a call of this operation failed because some of its ids do not exist; `found` then has the
 * type of the records that do.
 */
export function isNotFound<Id extends OperationId>(
  error: unknown,
  operationId: Id,
): error is NotFoundError<RecordOf<Id>> {
  return error instanceof NotFoundError && error.operationId === operationId;
}

/** 409: a duplicate, or a state that forbids the change. */
export class ConflictError extends ApiError {
  override readonly name: string = "ConflictError";
}

/** 429: wait `retryAfterSeconds`. */
export class RateLimitError extends ApiError {
  override readonly name: string = "RateLimitError";
}

/** 5xx: the server failed; `traceId` finds the reason in its log. */
export class ServerError extends ApiError {
  override readonly name: string = "ServerError";
}

function describe({ status, errors, traceId }: Refusal): string {
  const [first, ...rest] = errors;
  const reason = first === undefined ? "without a reason" : first.message;
  const more = rest.length === 0 ? "" : ` (and ${rest.length} more)`;
  const trace = traceId === undefined ? "" : `; trace id ${traceId}`;
  return `answered ${status}: ${reason}${more}${trace}`;
}
