import type { Operation } from "../contract.ts";

export type JsonObject = { readonly [name: string]: unknown };

/** A request of one operation before it is put on the wire. Parameters are texts, as sent. */
export interface RequestParts {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** A JSON value, or the fields of a form. Absent: no body. */
  readonly body?: unknown;
  /** Sent instead of `body`, whatever it holds. */
  readonly rawBody?: { readonly text: string; readonly mediaType: string | null };
  readonly headers?: Readonly<Record<string, string>>;
  /** Calls of other operations that come before it, and after it. */
  readonly first?: readonly OtherCall[];
  readonly last?: readonly OtherCall[];
}

interface OtherCall {
  readonly operation: string;
  readonly parts: Partial<RequestParts>;
}

/** A request as it goes out; the URL is relative to the base URL. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export const emptyRequest: RequestParts = { path: {}, query: {} };

/** Puts a request into the form that the document gives to it. */
export function encodeRequest(operation: Operation, parts: RequestParts): HttpRequest {
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) =>
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
  const text =
    mediaType === formMediaType
      ? new URLSearchParams(body as Record<string, string>).toString()
      : JSON.stringify(body);
  return { text, mediaType };
}

export const formMediaType = "application/x-www-form-urlencoded";

/** The content type that the operation's body has; undefined for an operation without a body. */
export const mediaTypeOf = (operation: Operation): string | undefined =>
  Object.keys(operation.requestBody?.content ?? {})[0];

/** Adds to a request, or replaces in it. */
export const withQuery = (
  parts: RequestParts,
  query: Readonly<Record<string, string | readonly string[]>>,
): RequestParts => ({ ...parts, query: { ...parts.query, ...query } });

export function withoutQuery(parts: RequestParts, ...names: readonly string[]): RequestParts {
  const kept = Object.entries(parts.query).filter(([name]) => !names.includes(name));
  return { ...parts, query: Object.fromEntries(kept) };
}
