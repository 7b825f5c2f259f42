import type { Descriptor } from "./descriptor.ts";
import type { ControlOperationId, OperationId } from "../generated/names.ts";

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
  /** The path with parameters in braces, as in the document. */
  readonly path: string;
  /** Number of requests that were sent for the call. */
  readonly attempts: number;
  /**
   * Whether the server may have carried out one of them: a response was lost, or is not that of the API. Always
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

/** There was no complete response: no connection, or an interrupted one. `cause` is the error of `fetch`. */
export class NetworkError extends CallError {
  override readonly name: string = "NetworkError";
}

/** There was no complete response within the time limit. */
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
        ? "; a proxy or another API may have responded; check baseUrl"
        : "";
    super(operation, `received ${message} (status ${status})${remedy}`);
    this.status = status;
  }
}
