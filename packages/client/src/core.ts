/** Everything except the operations, which each collection's own entry point has. */
export { connect, type Connection } from "./sending/connection.ts";
export type { ConnectionOptions, Credentials } from "./sending/options.ts";
export type { Batch, BatchOptions } from "./operations/send-batches.ts";
export type { CallOptions, ListOptions, WaitOptions } from "./sending/call-options.ts";
export type { Clock } from "./clock.ts";
export type { RateLimit, ResponseInfo } from "./wire/response-info.ts";
export type { Answer, ListAnswer } from "./wire/answer.ts";
export type {
  ErrorEvent,
  Hooks,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
} from "./sending/hooks.ts";
export type { ListCall } from "./operations/list-call.ts";
export type {
  BatchMethod,
  Failed,
  GetMethod,
  ListMethod,
  MatchingGetMethod,
  Method,
  Outcome,
  WaitMethod,
} from "./operations/method.ts";
export type { Collection, Operation } from "./operations/operation.ts";
export { readLinks, type Page } from "./wire/page.ts";
export type { Fetch } from "./wire/transport.ts";
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
} from "./wire/errors.ts";
export { WaitError } from "./wire/wait-error.ts";
