/**
 * The errors of calls. `core` does not export them, because some bundlers would add those that are loaded
 * when they are needed to every program.
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
  type ErrorEntry,
  type MethodOf,
} from "./wire/api-errors.ts";
export { FileHashError } from "./wire/file-hash-error.ts";
export { WaitError } from "./wire/wait-error.ts";
