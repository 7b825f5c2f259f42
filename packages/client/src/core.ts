/** Everything except the operations, which each collection's own entry point has. */
export { connect, type Connection } from "./connection.ts";
export type { ConnectionOptions, Credentials } from "./options.ts";
export type { Batch, BatchOptions } from "./batches.ts";
export type { CallOptions, ListOptions } from "./call-options.ts";
export type { Clock } from "./clock.ts";
export type { RateLimit, ResponseInfo } from "./response-info.ts";
export type { Answer, ListAnswer } from "./answer.ts";
export type { ErrorEvent, Hooks, RequestEvent, ResponseEvent, RetryEvent } from "./hooks.ts";
export type { ListCall } from "./list-call.ts";
export type {
  BatchMethod,
  Failed,
  GetMethod,
  ListMethod,
  MatchingGetMethod,
  Method,
  Outcome,
} from "./method.ts";
export type { Collection, Operation } from "./operation.ts";
export { readLinks, type Page } from "./page.ts";
export type { Fetch } from "./transport.ts";
export type { OperationId, Scope } from "./generated/names.ts";
export {
  ApiError,
  AuthenticationError,
  CallError,
  ClientError,
  ConflictError,
  InvalidRequestError,
  isNotFound,
  NetworkError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnexpectedResponseError,
  WindowError,
  type ErrorEntry,
  type MethodOf,
} from "./errors.ts";
