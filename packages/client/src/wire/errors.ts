import type { Descriptor } from "./descriptor.ts";
import type { ControlOperationId, OperationId } from "../generated/names.ts";
import type { RateLimit } from "./response-info.ts";

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
  /** `download` for the link of a file, which has no operation in the document. */
  readonly operationId: OperationId | ControlOperationId | "download";
  readonly method: string;
  /** With parameters in braces, as in the document. */
  readonly path: string;
  /** Number of requests that were sent for the call. */
  readonly attempts: number;
  /**
   * Whether the server may have carried out one of them: an answer was lost, or is not that of the API. Always
   * false for operations that only read.
   */
  readonly mayHaveActed: boolean;
}

/** A failed call, with the end of its message. */
export interface Failure extends FailedOperation {
  readonly remedy: string;
}

export const failedOperation = (
  { id, method, path, remedy = "" }: Descriptor,
  attempts = 1,
  mayHaveActed = false,
): Failure => ({ operationId: id, method, path, attempts, mayHaveActed, remedy });

/** A list has more entries than paging by offset can reach. The request was not sent. */
export class WindowError extends ClientError {
  override readonly name = "WindowError";
  /** The number of entries that can be reached. */
  readonly window: number;

  constructor({ id, paging }: Descriptor, window: number) {
    const remedy =
      paging?.cursor === undefined
        ? "narrow the filter"
        : `omit offset to page by ${paging.cursor}, or narrow the filter`;
    super(`${id} lists only the first ${window} entries by offset; ${remedy}`);
    this.window = window;
  }
}

/** A call that was sent and failed. */
export abstract class CallError extends ClientError implements FailedOperation {
  declare readonly operationId: OperationId | ControlOperationId | "download";
  declare readonly method: string;
  declare readonly path: string;
  declare readonly attempts: number;
  declare readonly mayHaveActed: boolean;

  constructor({ remedy, ...operation }: Failure, message: string, options?: ErrorOptions) {
    const { operationId, method, path, attempts, mayHaveActed } = operation;
    const tries = attempts > 1 ? ` (after ${attempts} attempts)` : "";
    const doubt = mayHaveActed
      ? "; it may have been carried out: read the records before a retry"
      : "";
    super(`${operationId} (${method} ${path}) ${message}${tries}${remedy}${doubt}`, options);
    Object.assign(this, operation);
  }
}

/** No complete response: no connection, or an interrupted one. `cause` is the error of `fetch`. */
export class NetworkError extends CallError {
  override readonly name: string = "NetworkError";
}

/** No complete response within the time limit. */
export class TimeoutError extends NetworkError {
  override readonly name = "TimeoutError";
}

/** A response that does not come from the API, but from another service or a proxy. */
export class UnexpectedResponseError extends CallError {
  override readonly name = "UnexpectedResponseError";
  readonly status: number;

  constructor(operation: Failure, status: number, message: string) {
    const remedy =
      status >= 200 && status < 300
        ? "; a proxy or another API may have answered; check baseUrl"
        : "";
    super(operation, `received ${message} (status ${status})${remedy}`);
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
  declare readonly status: number;
  declare readonly errors: readonly ErrorEntry[];
  declare readonly traceId: string | undefined;
  declare readonly rateLimit: RateLimit | undefined;
  declare readonly retryAfterSeconds: number | undefined;

  constructor(operation: Failure, refusal: Refusal) {
    super(operation, describe(refusal));
    Object.assign(this, refusal);
  }
}

/** 400: `errors` lists all violations with their places. */
export class InvalidRequestError extends ApiError {
  override readonly name = "InvalidRequestError";
}

/** 401: no token was granted, or a new one was rejected too; see `operationId`. */
export class AuthenticationError extends ApiError {
  override readonly name = "AuthenticationError";
}

/** 403: the token lacks a scope, or the caller lacks a permission. */
export class PermissionError extends ApiError {
  override readonly name = "PermissionError";
  /** The missing scope, if that is the reason. */
  readonly missingScope: string | undefined;

  constructor(operation: Failure, refusal: Refusal, missingScope: string | undefined) {
    super(operation, refusal);
    this.missingScope = missingScope;
  }
}

/** 404: some of the requested ids do not exist; `errors` names them. */
export class NotFoundError<Item = unknown> extends ApiError {
  override readonly name = "NotFoundError";
  /** The requested records that do exist; `isNotFound` narrows their type. */
  readonly found: readonly Item[];
  /** The requested ids that do not exist. */
  readonly missing: readonly string[];

  constructor(operation: Failure, refusal: Refusal, found: readonly Item[]) {
    super(operation, refusal);
    this.found = found;
    this.missing = refusal.errors.flatMap(({ id }) => id ?? []);
  }
}

declare const recordOf: unique symbol;

/** A method with the type of its records, which exists only at compile time. */
export interface MethodOf<Item> {
  readonly operationId: OperationId;
  readonly [recordOf]?: Item;
}

/**
 * Whether a call of this method failed because some of its ids do not exist:
 * `isNotFound(error, client.ioc.getIndicators)`. It narrows the type of `found` to the method's records.
 */
export function isNotFound<Item>(
  error: unknown,
  method: MethodOf<Item>,
): error is NotFoundError<Item> {
  return error instanceof NotFoundError && error.operationId === method.operationId;
}

/** 409: a duplicate, or a state that prevents the change. */
export class ConflictError extends ApiError {
  override readonly name = "ConflictError";
}

/** 429: wait `retryAfterSeconds`. */
export class RateLimitError extends ApiError {
  override readonly name = "RateLimitError";
}

/** 5xx: the server failed; `traceId` identifies the error in its log. */
export class ServerError extends ApiError {
  override readonly name = "ServerError";
}

function describe({ status, errors, traceId }: Refusal): string {
  const [first, ...rest] = errors;
  const reason = first === undefined ? "no reason" : first.message;
  const more = rest.length === 0 ? "" : ` (and ${rest.length} more)`;
  const trace = traceId === undefined ? "" : `; trace id ${traceId}`;
  return `failed with status ${status}: ${reason}${more}${trace}`;
}
