import type { Operation, Schema } from "../contract.ts";

export type JsonObject = { readonly [name: string]: unknown };

/** A request of one operation before it is serialised. Parameters are texts, as sent. */
export interface RequestParts {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** A JSON value, or the fields of a form. Absent: no body. */
  readonly body?: unknown;
  /** Sent instead of `body`. */
  readonly rawBody?: { readonly text: string; readonly mediaType: string | null };
  readonly headers?: Readonly<Record<string, string>>;
  /** Calls of other operations that come before it, and after it. */
  readonly first?: readonly OtherCall[];
  readonly last?: readonly OtherCall[];
}

interface OtherCall {
  readonly operation: string;
  readonly parts: Partial<RequestParts>;
  /** Headers of its response to send with the request, in lower case. */
  readonly passedOn?: readonly string[];
  /** Whether another request can send the same headers after this one was rejected. */
  readonly reusable?: boolean;
  /** Whether the request only undoes an earlier one. It is not sent if that one was rejected. */
  readonly undoes?: boolean;
}

/** The headers of a response that the next request sends. */
export const passedHeaders = (
  { passedOn = [] }: Pick<OtherCall, "passedOn">,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    passedOn.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );

/** A request as it goes out; the URL is relative to the base URL. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Instead of `body`: a body of this many spaces, with texts around them. */
  readonly blanks?: Blanks;
}

export interface Blanks {
  readonly before: string;
  readonly count: number;
  readonly after: string;
}

export const emptyRequest: RequestParts = { path: {}, query: {} };

/** Serialises a request as documented. */
export function encodeRequest(operation: Operation, parts: RequestParts): HttpRequest {
  const path = operation.path.replaceAll(/\{([^{}]+)\}/g, (_whole, name: string) =>
    encodeURIComponent(parts.path[name] ?? `{${name}}`),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parts.query)) {
    for (const each of [value].flat()) query.append(name, each);
  }
  const url = query.size === 0 ? path : `${path}?${query.toString()}`;
  const body = encodeBody(operation, parts);
  const mediaType = body?.mediaType ?? null;
  return {
    method: operation.method.toUpperCase(),
    url,
    headers: { ...(mediaType === null ? {} : { "content-type": mediaType }), ...parts.headers },
    ...(body === undefined ? {} : { body: body.text }),
  };
}

function encodeBody(
  operation: Operation,
  { body, rawBody }: RequestParts,
): RequestParts["rawBody"] {
  if (rawBody !== undefined) return rawBody;
  if (body === undefined) return undefined;
  const mediaType = mediaTypeOf(operation) ?? "application/json";
  switch (mediaType) {
    case formMediaType:
      return { text: new URLSearchParams(body as Record<string, string>).toString(), mediaType };
    case multipartMediaType:
      return {
        text: encodeMultipart(operation, body as JsonObject),
        mediaType: contentTypeOf(mediaType),
      };
    default:
      return { text: JSON.stringify(body), mediaType };
  }
}

export const formMediaType = "application/x-www-form-urlencoded";
export const multipartMediaType = "multipart/form-data";

/** Constant, so that two runs send the same bytes; it does not occur in test data. */
const boundary = "contract-tests-8f1d6c2a4b";

/** The header `Content-Type` for a body of this media type. */
export const contentTypeOf = (mediaType: string): string =>
  mediaType === multipartMediaType ? `${mediaType}; boundary=${boundary}` : mediaType;

/** A body of this many spaces; inside a file if the operation accepts files. */
export function blanksFor(operation: Operation, count: number): Blanks {
  if (mediaTypeOf(operation) !== multipartMediaType) return { before: "", count, after: "" };
  const [before = "", after = ""] = encodeMultipart(operation, { file: "\0" }).split("\0");
  return { before, count, after };
}

/** A member with format `binary` is a file; a member that is not a text is sent as JSON. */
function encodeMultipart(operation: Operation, body: JsonObject): string {
  const schema = operation.requestBody?.content[multipartMediaType]?.schema;
  const properties = (schema?.["properties"] ?? {}) as Readonly<Record<string, Schema>>;
  const parts = Object.entries(body).map(([name, value]) => {
    const isFile = name === "file" || properties[name]?.["format"] === "binary";
    const disposition = `content-disposition: form-data; name="${name}"`;
    const heading = isFile
      ? `${disposition}; filename="${name}.txt"\r\ncontent-type: application/octet-stream`
      : disposition;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `--${boundary}\r\n${heading}\r\n\r\n${text}\r\n`;
  });
  return `${parts.join("")}--${boundary}--\r\n`;
}

/** The content type that the operation's body has; undefined for an operation without a body. */
export const mediaTypeOf = (operation: Operation): string | undefined =>
  Object.keys(operation.requestBody?.content ?? {})[0];

/** Adds to a request, or replaces in it. */
export const withQuery = (
  parts: RequestParts,
  query: Readonly<Record<string, string | readonly string[]>>,
): RequestParts => ({ ...parts, query: { ...parts.query, ...query } });

export function withoutQuery(parts: RequestParts, ...names: readonly string[]): RequestParts {
  const remaining = Object.entries(parts.query).filter(([name]) => !names.includes(name));
  return { ...parts, query: Object.fromEntries(remaining) };
}
