export { createClient, type Client } from "./client.ts";
export type { ClientOptions } from "./options.ts";
export type { CallOptions } from "./call-options.ts";
export type { Clock } from "./clock.ts";
export type { RateLimit, ResponseInfo } from "./response-info.ts";
export type { Page } from "./page.ts";
export type { Fetch } from "./transport.ts";
export type { Scope } from "./generated/scopes.ts";
export type { Collections } from "./generated/collections.ts";
export { filters } from "./filters.ts";
export type {
  Answer,
  Data,
  FieldsOf,
  FlatInput,
  Input,
  Method,
  OperationId,
  RecordOf,
  Resource,
  SortKey,
} from "./types.ts";
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
  type ErrorEntry,
} from "./errors.ts";
