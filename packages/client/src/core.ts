/** `connect`, and what belongs to every call. Each collection's operations, and the errors, have entry points of their own. */
export { connect, type Connection } from "./sending/connection.ts";
export type { ConnectionOptions, Credentials } from "./sending/options.ts";
export type { Batch, BatchOptions } from "./operations/send-batches.ts";
export type {
  CallOptions,
  FileOptions,
  FileProgress,
  ListOptions,
  WaitOptions,
} from "./sending/call-options.ts";
export type { Clock } from "./clock.ts";
export type { RateLimit, ResponseInfo } from "./wire/response-info.ts";
export type { Answer, ListAnswer } from "./wire/answer.ts";
export type {
  EndEvent,
  ErrorEvent,
  Hooks,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
} from "./sending/hooks.ts";
export { download } from "./operations/download.ts";
export type { FileCall } from "./operations/file-call.ts";
export type { Bytes, FileAtPath, FileToSend, FileWithContent } from "./operations/file-source.ts";
export type { SavedFile } from "./operations/files.ts";
export type { ListCall } from "./operations/list-call.ts";
export type { ReceiveOptions } from "./operations/receive-file.ts";
export type { LinkToFile } from "./operations/receive-link.ts";
export type {
  BatchMethod,
  Failed,
  FileMethod,
  GetMethod,
  ListMethod,
  MatchingGetMethod,
  Method,
  Outcome,
  UploadMethod,
  WaitMethod,
} from "./operations/method.ts";
export type { Collection, Operation } from "./operations/operation.ts";
export { readLinks, type Page } from "./wire/page.ts";
export type { Fetch } from "./wire/transport.ts";
export type { OperationId, Scope } from "./generated/names.ts";
