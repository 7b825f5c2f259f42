import { asObject, type AnyObject } from "./any-object.ts";
import type { Descriptor } from "./descriptor.ts";
import type { ErrorEntry } from "./api-errors.ts";
import { readPage, type Page } from "./page.ts";
import type { RateLimit, ResponseInfo } from "./response-info.ts";

/** The result of a call. */
export interface Answer<Data> {
  readonly data: Data;
  readonly response: ResponseInfo;
}

/** One page of a list. */
export interface ListAnswer<Item> extends Answer<readonly Item[]> {
  readonly page: Page;
}

/** A response with its body. */
export interface Received {
  readonly response: ResponseInfo;
  /** The parsed body: text if it is not JSON, undefined if there is none. */
  readonly payload: unknown;
}

/** Reads the body. Rejects with the error of `fetch` if it is interrupted. */
export const receive = async (response: Response, info: ResponseInfo): Promise<Received> => ({
  response: info,
  payload: parse(await response.text()),
});

function parse(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export const envelopeMediaType = "application/vnd.security-platform.envelope+json";

/** The data of a success in either representation; undefined if the body is not of the documented kind. */
export function decodeAnswer(
  descriptor: Descriptor,
  received: Received,
): Answer<unknown> | undefined {
  const { response, payload } = received;
  const wrapped = isWrapped(received);
  const envelope = wrapped ? asObject(payload) : undefined;
  const data = wrapped ? unwrap(descriptor, envelope) : payload;
  if (!isOfKind(descriptor, response, data)) return undefined;
  if (descriptor.paging === undefined) return { data, response };
  const page = readPage(response.headers, asObject(envelope?.["meta"])?.["pagination"]);
  return { data, page, response } as ListAnswer<unknown>;
}

export function readResponse({ status, headers }: Pick<Response, "status" | "headers">) {
  const info: ResponseInfo = {
    status,
    headers,
    traceId: headers.get("x-trace-id") ?? undefined,
    rateLimit: readRateLimit(headers),
  };
  return info;
}

function readRateLimit(headers: Headers): RateLimit | undefined {
  const limit = headers.get("x-ratelimit-limit");
  const remaining = headers.get("x-ratelimit-remaining");
  if (limit === null || remaining === null) return undefined;
  return { limit: Number(limit), remaining: Number(remaining) };
}

/**
 * The Envelope representation contains a single object as the only entry of `resources`, as `resources`
 * itself, or at the top level.
 */
function unwrap({ answer }: Descriptor, envelope: AnyObject | undefined): unknown {
  const resources = envelope?.["resources"];
  if (answer === "envelope") return envelope;
  if (answer !== "object") return resources;
  if (Array.isArray(resources)) return resources[0];
  return resources ?? envelope;
}

function isOfKind(
  { answer = "list" }: Descriptor,
  { headers }: ResponseInfo,
  data: unknown,
): boolean {
  switch (answer) {
    case "list":
      return Array.isArray(data);
    case "object":
      return asObject(data) !== undefined;
    case "none":
      return mediaType(headers) !== "text/html" && data === undefined;
    default:
      return asObject(asObject(data)?.["meta"]) !== undefined;
  }
}

/**
 * Whether the response is in the Envelope representation, which a server may use even if not requested. A
 * server for existing clients sends it as plain JSON, which only the members reveal.
 */
const isWrapped = ({ response, payload }: Received): boolean => {
  const object = asObject(payload);
  return (
    object !== undefined &&
    (mediaType(response.headers) === envelopeMediaType ||
      ["meta", "resources", "errors"].every((name) => name in object))
  );
};

/** Whether the body of a success is an Envelope, with either media type. */
const isEnvelope = ({ answer }: Descriptor, received: Received): boolean =>
  answer === "envelope" || isWrapped(received);

/**
 * The effective status. A success whose Envelope contains errors failed in part, and treating it as a
 * success would hide missing records.
 */
export function effectiveStatus(descriptor: Descriptor, received: Received): number {
  const { status } = received.response;
  if (status < 200 || status > 299 || !isEnvelope(descriptor, received)) return status;
  const [first] = readEntries(received.payload);
  if (first === undefined) return status;
  return first.code >= 400 && first.code <= 599 ? first.code : 500;
}

/** The valid entries of the Envelope's `errors`. */
export function readEntries(payload: unknown): readonly ErrorEntry[] {
  const entries = asObject(payload)?.["errors"];
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown): ErrorEntry[] => {
    const { code, message, id } = asObject(entry) ?? {};
    if (typeof code !== "number" || typeof message !== "string") return [];
    return [{ code, message, ...(typeof id === "string" ? { id } : {}) }];
  });
}

export const mediaType = (headers: Headers): string =>
  (headers.get("content-type") ?? "").replace(/;.*/s, "").trim().toLowerCase();
