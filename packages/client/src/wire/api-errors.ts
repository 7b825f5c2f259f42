import { CallError, type Failure } from "./errors.ts";
import type { OperationId } from "../generated/names.ts";
import type { RateLimit } from "./response-info.ts";

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

/** 507: the storage of the tenant or of the server is full. Nothing was stored; delete records or files first. */
export class StorageFullError extends ApiError {
  override readonly name = "StorageFullError";
}

/** Another 5xx: the server failed; `traceId` identifies the error in its log. */
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
