import { UnexpectedResponseError, type FailedOperation } from "./errors.ts";
import type { Operation } from "./operation.ts";
import { readPage, type Page } from "./page.ts";
import type { RateLimit, ResponseInfo } from "./response-info.ts";
import type { TransportResponse } from "./transport.ts";

/** A response whose data is not typed yet. */
export interface AnyAnswer {
  readonly data: unknown;
  readonly page: Page | undefined;
  readonly response: ResponseInfo;
}

const envelopeMediaType = "application/vnd.security-platform.envelope+json";

export const failed = (operation: Operation): FailedOperation => ({
  operationId: operation.id,
  method: operation.method,
  path: operation.path,
});

/**
 * The data of a success in either representation. Throws an `UnexpectedResponseError` if the body
 * is not of the documented kind.
 */
export function decodeAnswer(operation: Operation, response: TransportResponse): AnyAnswer {
  const wrapped = isWrapped(response);
  const envelope = wrapped ? asObject(response.payload) : undefined;
  const meta = asObject(envelope?.["meta"]);
  const data = wrapped ? unwrap(operation, envelope) : response.payload;
  if (!isOfKind(operation, data)) {
    throw new UnexpectedResponseError(
      failed(operation),
      response.status,
      describe(operation, response),
    );
  }
  return {
    data,
    page:
      operation.paging === "none" ? undefined : readPage(response.headers, meta?.["pagination"]),
    response: readResponse(response),
  };
}

export function readResponse({ status, headers }: TransportResponse): ResponseInfo {
  return {
    status,
    headers,
    traceId: headers.get("x-trace-id") ?? undefined,
    rateLimit: readRateLimit(headers),
  };
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
function unwrap(operation: Operation, envelope: AnyObject | undefined): unknown {
  const resources = envelope?.["resources"];
  if (operation.answer === "envelope") return envelope;
  if (operation.answer !== "object") return resources;
  if (Array.isArray(resources)) return resources[0];
  return resources ?? envelope;
}

function isOfKind({ answer }: Operation, data: unknown): boolean {
  switch (answer) {
    case "list":
      return Array.isArray(data);
    case "object":
      return asObject(data) !== undefined;
    case "envelope":
      return asObject(asObject(data)?.["meta"]) !== undefined;
    case "file":
    case "none":
      return true;
  }
}

export type AnyObject = Readonly<Record<string, unknown>>;

export const asObject = (value: unknown): AnyObject | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as AnyObject)
    : undefined;

/**
 * Whether the response is in the Envelope representation, which a server may use even if not requested. A
 * server for existing clients sends it as plain JSON, which only the members reveal.
 */
const isWrapped = ({ headers, payload }: TransportResponse): boolean => {
  if (mediaType(headers) === envelopeMediaType) return true;
  const object = asObject(payload);
  return object !== undefined && ["meta", "resources", "errors"].every((name) => name in object);
};

/** Whether the body of a success is an Envelope, with either media type. */
export const isEnvelope = (operation: Operation, response: TransportResponse): boolean =>
  operation.answer === "envelope" || isWrapped(response);

export const mediaType = (headers: Headers): string =>
  (headers.get("content-type") ?? "").replace(/;.*/s, "").trim().toLowerCase();

function describe(operation: Operation, { headers, payload }: TransportResponse): string {
  const type = mediaType(headers) || "without a content type";
  const body = payload === undefined ? "no body" : `a body of type ${type}`;
  const documented = operation.answer === "list" ? "a list" : `an ${operation.answer}`;
  return `${body} instead of ${documented}`;
}
