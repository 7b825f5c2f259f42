/**
 * The errors of calls. Most are loaded when they are first thrown; exported by `core`, some bundlers would load them
 * with every program.
 */
export {
  CallError,
  ClientError,
  NetworkError,
  TimeoutError,
  UnexpectedResponseError,
} from "./wire/errors.ts";
export { WindowError } from "./wire/window-error.ts";
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  InvalidRequestError,
  isNotFound,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  StorageFullError,
  type ErrorEntry,
  type MethodOf,
} from "./wire/api-errors.ts";
export { FileHashError } from "./wire/file-hash-error.ts";
export { WaitError } from "./wire/wait-error.ts";
