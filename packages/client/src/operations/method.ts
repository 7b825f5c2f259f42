/** The types of the methods. Generated modules fill in inputs, data and the documented error statuses. */
import type { Filter } from "@security-platform/fql";
import type { Answer, ListAnswer } from "../wire/answer.ts";
import type { Batch, BatchOptions } from "./send-batches.ts";
import type {
  CallOptions,
  FileOptions,
  ListOptions,
  WaitOptions,
} from "../sending/call-options.ts";
import type * as errors from "../wire/api-errors.ts";
import type { MethodOf } from "../wire/api-errors.ts";
import type { NetworkError, TimeoutError, UnexpectedResponseError } from "../wire/errors.ts";
import type { FileToSend } from "./file-source.ts";
import type { FileCall } from "./file-call.ts";
import type { ListCall } from "./list-call.ts";

/** The input of an operation without parameters. */
export type NoInput = Readonly<Record<string, never>>;

type Arguments<Input extends readonly unknown[], Options = CallOptions> = [
  ...input: Input,
  options?: Options,
];

/** The forms that every method has beside the plain call. */
interface Forms<
  Input extends readonly unknown[],
  Result,
  Failure extends number,
  Item,
> extends MethodOf<Item> {
  /** Resolves to `{ error }` instead of rejecting when the call fails after it was sent. */
  try(...input: Arguments<Input>): Promise<Outcome<Result, Failure, Item>>;
  /**
   * The response itself, with any status and its body unread. Tokens, retries and limits work as for other
   * calls; the time limit includes the body, which rejects with a `TimeoutError` after it.
   */
  raw(...input: Arguments<Input>): Promise<Response>;
}

/** A method of the client. Its input contains parameters by name and the body as `body`. */
export interface Method<
  Input extends readonly unknown[],
  Data,
  Failure extends number,
  Item = unknown,
> extends Forms<Input, Answer<Data>, Failure, Item> {
  (...input: Arguments<Input>): Promise<Answer<Data>>;
}

/**
 * A method that writes or deletes records, whose entries may be sent in batches. `Place` is the member of the input with
 * the entries.
 */
export interface BatchMethod<
  Input extends readonly unknown[],
  Entry,
  Data,
  Failure extends number,
  Item = unknown,
  Place extends string = "body",
> extends Method<Input, Data, Failure, Item> {
  /**
   * Sends any number of entries in batches, and iterates over their results in the order of the input. A
   * batch that fails has an `error`, and the next ones are sent.
   */
  inBatches(
    entries: Iterable<Entry> | AsyncIterable<Entry>,
    options?: BatchOptions<Omit<NonNullable<Input[0]>, Place>>,
  ): AsyncGenerator<Batch<Data, Failed<Failure, Item>>, void, undefined>;
}

/** The body of an upload in the document, whose files may come from anywhere. */
export type WithFiles<Body> = {
  readonly [Name in keyof Body]: Extract<Body[Name], Blob> extends never
    ? Body[Name]
    : FileToSend | Exclude<Body[Name], Blob>;
};

/** A method that sends files. */
export interface UploadMethod<
  Input extends readonly unknown[],
  Data,
  Failure extends number,
  Item = unknown,
> extends Method<Input, Data, Failure, Item> {
  (...input: Arguments<Input, FileOptions>): Promise<Answer<Data>>;
}

/** A method that returns a file: awaited, it is `{ data, response }` with a `Blob`; it may also be a stream, or written to a path. */
export interface FileMethod<Input extends readonly unknown[], Failure extends number> extends Forms<
  Input,
  Answer<Blob>,
  Failure,
  unknown
> {
  (...input: Arguments<Input, FileOptions>): FileCall;
}

/** A method that lists entries: awaited, it is one page; iterated, it is all entries. */
export interface ListMethod<
  Input extends readonly unknown[],
  Item,
  Failure extends number,
> extends Forms<Input, ListAnswer<Item>, Failure, Item> {
  (...input: Arguments<Input, ListOptions>): ListCall<Item>;
}

/** A method that reads records by id, with any number of ids. */
export interface GetMethod<
  Input extends readonly unknown[],
  Item,
  Failure extends number,
> extends Forms<Input, Answer<readonly Item[]>, Failure, Item> {
  (...input: Arguments<Input>): Promise<Answer<readonly Item[]>>;
}

/** A `GetMethod` whose ids another operation lists. */
export interface MatchingGetMethod<
  Input extends readonly unknown[],
  Query,
  Item,
  Failure extends number,
> extends GetMethod<Input, Item, Failure> {
  /**
   * Lists ids and reads their records, page by page. Records that are deleted in between are omitted.
   */
  matching(query?: Query, options?: ListOptions): ListCall<Item>;
}

/** A method that waits for work that goes on after the answer of the operation that started it. */
export interface WaitMethod<Item> {
  /**
   * Reads the record until its work is done, and resolves to the record as it is then. Rejects with a
   * `WaitError` if the work failed or the time is over, and like the operation that reads the record.
   */
  (id: string, options?: WaitOptions<Item>): Promise<Answer<Item>>;
}

/** The result of the form of a call that does not reject. */
export type Outcome<Result, Failure extends number, Item = unknown> =
  | (Result & { readonly error?: undefined })
  | { readonly data?: undefined; readonly error: Failed<Failure, Item> };

/** The errors of an operation with these documented statuses; `name` tells them apart. */
export type Failed<Failure extends number, Item = unknown> =
  | ErrorByStatus<Item>[Failure & keyof ErrorByStatus<Item>]
  | (Exclude<Failure, keyof ErrorByStatus<Item>> extends never ? never : OtherApiError)
  | NoResponseError
  | TimeoutError
  | UnexpectedResponseError;

interface OtherApiError extends errors.ApiError {
  readonly name: "ApiError";
}

interface NoResponseError extends NetworkError {
  readonly name: "NetworkError";
}

interface ErrorByStatus<Item> {
  400: errors.InvalidRequestError;
  401: errors.AuthenticationError;
  403: errors.PermissionError;
  404: errors.NotFoundError<Item>;
  409: errors.ConflictError;
  429: errors.RateLimitError;
  500: errors.ServerError;
  502: errors.ServerError;
  503: errors.ServerError;
  504: errors.ServerError;
  507: errors.StorageFullError;
}

/**
 * A type of the document in which filters and sort orders may also be trees and lists of keys. `Uses` has
 * the type of each such member, at any depth.
 */
export type WithFql<Value, Uses> = Value extends object
  ? {
      readonly [Name in keyof Value]: Name extends keyof Uses
        ? Uses[Name] | Exclude<Value[Name], string | Filter>
        : WithFql<Value[Name], Uses>;
    }
  : Value;
