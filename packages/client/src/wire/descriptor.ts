import type { ControlOperationId, OperationId } from "../generated/names.ts";

/**
 * What a call of an operation needs at run time. It is generated from the document, and a member is present
 * only if it differs from the usual.
 */
export interface Descriptor {
  readonly id: OperationId | ControlOperationId | "download";
  /** The HTTP method in upper case. */
  readonly method: string;
  /** The path with parameters in braces. */
  readonly path: string;
  /** The content of a success. `file`: any media type except JSON. `none`: no body. Default: a list. */
  readonly answer?: "list" | "object" | "envelope" | "file" | "none";
  /** Default: JSON for POST, PUT and PATCH, no body for other methods. */
  readonly body?: "json" | "form" | "parts" | "none";
  /** Names of header parameters. */
  readonly headers?: readonly string[];
  /** Whether the Envelope is requested, because the plain JSON of a server for existing clients differs. */
  readonly envelope?: true;
  /** Whether the operation takes the client's credentials instead of a token. */
  readonly credentials?: true;
  /** The operation takes an `Idempotency-Key`: without a key, a repeated request would act again. */
  readonly keyed?: true;
  readonly paging?: Paging;
  /** The list of an operation that takes one: the ids of records to read or to delete, or records to write. */
  readonly list?: List;
  /** What to do about a failed call, as the end of its message. */
  readonly remedy?: string;
  /** Members of the body that may be filter trees or lists of sort keys. */
  readonly fql?: readonly string[];
}

/** A descriptor as generated modules write it; in this order it compresses best. */
export type Source = readonly [
  path: string,
  id: OperationId | ControlOperationId,
  method: string,
  more?: Omit<Descriptor, "path" | "id" | "method">,
];

export const descriptorOf = (...[path, id, method, more]: Source): Descriptor => ({
  path,
  id,
  method,
  ...more,
});

export interface Paging {
  /** Maximum page size. */
  readonly limit: number;
  /** The parameter for the cursor of the next page. Absent: paging by offset only. */
  readonly cursor?: string;
  /** The number of entries that paging by offset can reach. */
  readonly window?: number;
}

/** A list in a request: a parameter unless it has a `place`. `maximum`: the number of entries in one request. */
export type List = readonly [name: string, maximum: number, place?: "body"];
