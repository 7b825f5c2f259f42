import { envelopeMediaType } from "./answer.ts";
import type { Descriptor } from "./descriptor.ts";
import type { HeaderValues, RequestBody, Scalar, TransportRequest } from "./transport.ts";

/** The input of any method: parameters by name and the body as `body`. Its types are checked in the public API. */
export type AnyInput = Readonly<Record<string, unknown>>;

export interface EncodedRequest extends Omit<
  TransportRequest,
  "headers" | "signal" | "restartLimit"
> {
  readonly headers: HeaderValues;
}

/**
 * Encodes the request of a call. Undefined values are omitted. Throws a `TypeError` or a `RangeError` for
 * values that cannot be encoded without changing their meaning.
 */
export function encodeRequest(descriptor: Descriptor, input: AnyInput): EncodedRequest {
  const { method, path, answer, envelope } = descriptor;
  const encoded = encodeBody(descriptor, input["body"]);
  const request = {
    method,
    path,
    pathParameters: path.includes("{") ? segments(descriptor, input) : undefined,
    query: {} as Record<string, Scalar | readonly Scalar[]>,
    headers: {
      accept:
        answer === "file" ? "*/*" : envelope === true ? envelopeMediaType : "application/json",
      "content-type": encoded === undefined ? undefined : mediaTypes[bodyKind(descriptor)],
    } as Record<string, string | undefined>,
    body: encoded,
  };
  for (const name of Object.keys(input)) {
    const value = input[name];
    if (value === undefined || name === "body" || path.includes(`{${name}}`)) continue;
    if (descriptor.headers?.includes(name)) {
      request.headers[name] = String(scalar(descriptor, name, value));
    } else if (!Array.isArray(value)) {
      request.query[name] = scalar(descriptor, name, value);
    } else if (value.length > 0) {
      request.query[name] = value.map((item) => scalar(descriptor, name, item));
    } else {
      // An empty list would be sent as an absent one, which would select all records instead of none.
      throw new RangeError(`${descriptor.id}: ${name} must not be an empty list`);
    }
  }
  return request;
}

/** The parameters of the path. */
function segments(descriptor: Descriptor, input: AnyInput): Record<string, Scalar> {
  const values: Record<string, Scalar> = {};
  for (const [, name = ""] of descriptor.path.matchAll(/\{([^{}]+)\}/g)) {
    const value = scalar(descriptor, name, input[name]);
    // These values would change the path: an empty segment, or a step up (RFC 3986 §5.2.4).
    if (value === "" || value === "." || value === "..") {
      throw new RangeError(`${descriptor.id}: ${name} cannot be "${value}"`);
    }
    values[name] = value;
  }
  return values;
}

export function scalar({ id }: Descriptor, name: string, value: unknown): Scalar {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (Number.isFinite(value)) return value as number;
  throw new TypeError(`${id}: ${name} must be a string, number or boolean, not ${String(value)}`);
}

/** Media types of bodies. That of a form with files is set by `fetch`, which chooses the boundary of the parts. */
const mediaTypes: Partial<Record<string, string>> = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
};

/** The kind of the body. Default: JSON for POST, PUT and PATCH, otherwise none. */
const bodyKind = ({ method, body }: Descriptor): NonNullable<Descriptor["body"]> =>
  body ?? (method.startsWith("P") ? "json" : "none");

function encodeBody(descriptor: Descriptor, body: unknown): RequestBody | undefined {
  if (body === undefined) return undefined;
  switch (bodyKind(descriptor)) {
    case "none":
      throw new TypeError(`${descriptor.id} does not accept a body`);
    case "json":
      // JSON would write NaN as null, which deletes the value in an update.
      return JSON.stringify(body, (name, value: unknown) =>
        typeof value === "number" ? scalar(descriptor, name, value) : value,
      );
    case "form":
      return encodeForm(descriptor, body as object);
    case "parts":
      return body as FormData;
  }
}

function encodeForm(descriptor: Descriptor, fields: object): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(name, String(scalar(descriptor, name, value)));
  }
  return form.toString();
}
