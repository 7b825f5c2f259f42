import { printFilter, type Filter } from "@security-platform/fql";
import type { FqlUses, Operation } from "./operation.ts";
import type { RequestBody, Scalar, TransportRequest } from "./transport.ts";

/** The input of any operation; its types are checked in the public API. */
export interface AnyInput {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export type EncodedRequest = Pick<
  TransportRequest,
  "method" | "path" | "pathParameters" | "query" | "headers" | "body" | "file"
>;

/**
 * Encodes the request of a call. Undefined values are omitted. Throws a `TypeError` or a `RangeError` for
 * values that cannot be encoded without changing their meaning.
 */
export function encodeRequest(operation: Operation, input: AnyInput): EncodedRequest {
  return {
    method: operation.method,
    path: operation.path,
    pathParameters: encodePath(operation, input.path ?? {}),
    query: encodeQuery(operation, input.query ?? {}),
    headers: encodeHeaders(operation, input.headers ?? {}),
    body: encodeBody(operation, input.body),
    file: operation.answer === "file",
  };
}

function encodePath(operation: Operation, values: object): Record<string, Scalar> {
  const encoded: Record<string, Scalar> = {};
  for (const [, name = ""] of operation.path.matchAll(/\{([^}]+)\}/g)) {
    const value = scalar(operation, name, (values as Record<string, unknown>)[name]);
    // These values would change the path: an empty segment, or a step up (RFC 3986 §5.2.4).
    if (value === "" || value === "." || value === "..") {
      throw new RangeError(`${operation.id}: ${name} cannot be "${value}"`);
    }
    encoded[name] = value;
  }
  return encoded;
}

function encodeQuery(operation: Operation, values: object): TransportRequest["query"] {
  const encoded: Record<string, Scalar | readonly Scalar[]> = {};
  for (const [name, input] of Object.entries(values)) {
    const value = printFql(operation.fql.query, name, input);
    if (value === undefined) continue;
    if (!Array.isArray(value)) {
      encoded[name] = scalar(operation, name, value);
    } else if (value.length > 0) {
      encoded[name] = value.map((item) => scalar(operation, name, item));
    } else {
      // An empty list would be sent as an absent one, which would select all records instead of none.
      throw new RangeError(`${operation.id}: ${name} must not be an empty list`);
    }
  }
  return encoded;
}

/** Only the client sets other headers. */
function encodeHeaders(operation: Operation, values: object): Record<string, string> {
  const encoded: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    if (!operation.headers.includes(name)) {
      throw new TypeError(`${operation.id} has no header parameter ${name}`);
    }
    encoded[name] = String(scalar(operation, name, value));
  }
  return encoded;
}

function scalar(operation: Operation, name: string, value: unknown): Scalar {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new TypeError(
    `${operation.id}: ${name} must be a string, a number or a boolean, not ${String(value)}`,
  );
}

function encodeBody(operation: Operation, body: unknown): RequestBody | undefined {
  if (body === undefined) return undefined;
  switch (operation.bodyType) {
    case null:
      throw new TypeError(`${operation.id} does not accept a body`);
    case "application/json":
      return JSON.stringify(printFqlDeep(operation.fql.body, body));
    case "application/x-www-form-urlencoded":
      return encodeForm(operation, body as object);
    case "multipart/form-data":
      return body instanceof FormData ? body : encodeParts(operation, body as object);
    default:
      return body as RequestBody;
  }
}

function encodeForm(operation: Operation, fields: object): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(name, String(scalar(operation, name, value)));
  }
  return form.toString();
}

/**
 * `fetch` chooses the boundary of the parts, so it also sets the content type. Files come last, because a
 * server may need the other parts before them.
 */
function encodeParts(operation: Operation, fields: object): FormData {
  const form = new FormData();
  const parts = Object.entries(fields).filter(([, value]) => value !== undefined);
  for (const [name, value] of parts) {
    if (!(value instanceof Blob)) form.append(name, String(scalar(operation, name, value)));
  }
  for (const [name, value] of parts) if (value instanceof Blob) form.append(name, value);
  return form;
}

/** The text of a filter tree or a list of sort keys, if the operation has FQL under this name. */
function printFql(uses: FqlUses, name: string, value: unknown): unknown {
  const use = Object.hasOwn(uses, name) ? uses[name]?.use : undefined;
  if (use === "filter" && isFilter(value)) return printFilter(value);
  if (use === "sort" && Array.isArray(value) && value.length > 0) return value.join(",");
  return value;
}

const isFilter = (value: unknown): value is Filter =>
  typeof value === "object" && value !== null && "kind" in value;

function printFqlDeep(uses: FqlUses, value: unknown): unknown {
  if (Object.keys(uses).length === 0 || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => printFqlDeep(uses, item));
  const printed = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    printFqlDeep(uses, printFql(uses, name, member)),
  ]);
  return Object.fromEntries(printed);
}
