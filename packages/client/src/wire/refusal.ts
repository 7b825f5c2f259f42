import { asObject } from "./any-object.ts";
import { effectiveStatus, mediaType, readEntries, type Received } from "./answer.ts";
import * as errors from "./api-errors.ts";
import type { Refusal } from "./api-errors.ts";
import type { Clock } from "../clock.ts";
import type { Descriptor } from "./descriptor.ts";
import { UnexpectedResponseError, type CallError, type Failure } from "./errors.ts";
import { readRetryAfter } from "./retry-after.ts";

/** Creates the error of a failed call. */
export function refusalError(
  descriptor: Descriptor,
  received: Received,
  clock: Clock,
  call: Failure,
): CallError {
  const { response, payload } = received;
  const { headers, traceId, rateLimit } = response;
  const status = effectiveStatus(descriptor, received);
  if (status >= 200 && status < 300) {
    return new UnexpectedResponseError(call, status, describeSuccess(descriptor, received));
  }
  if (status < 400) {
    return new UnexpectedResponseError(call, status, describeRedirect(headers));
  }
  const entries = readEntries(payload);
  const refusal: Refusal = {
    traceId,
    rateLimit,
    status,
    errors: entries.length > 0 ? entries : [{ code: status, message: describeBody(received) }],
    retryAfterSeconds: readRetryAfter(headers, clock),
  };
  if (status === 404) return new errors.NotFoundError(call, refusal, readFound(payload));
  // Without a token the caller is not authenticated, even if the status is another: 400 for invalid scopes,
  // 403 for an invalid tenant.
  const isToken = descriptor.id === "oauth2AccessToken" && [400, 403].includes(status);
  if (status === 403 && !isToken) {
    return new errors.PermissionError(call, refusal, readMissingScope(headers));
  }
  const Kind = errorsByStatus[isToken ? 401 : status];
  if (Kind !== undefined) return new Kind(call, refusal);
  return status >= 500 ? new errors.ServerError(call, refusal) : new errors.ApiError(call, refusal);
}

const errorsByStatus: Readonly<Record<number, typeof errors.ApiError>> = {
  400: errors.InvalidRequestError,
  401: errors.AuthenticationError,
  409: errors.ConflictError,
  429: errors.RateLimitError,
  507: errors.StorageFullError,
};

function readFound(payload: unknown): readonly unknown[] {
  const resources = asObject(payload)?.["resources"];
  return Array.isArray(resources) ? resources : [];
}

/** RFC 6750 §3: `WWW-Authenticate: Bearer …, error="insufficient_scope", scope="…"`. */
function readMissingScope(headers: Headers): string | undefined {
  const challenge = headers.get("www-authenticate") ?? "";
  if (!challenge.includes('error="insufficient_scope"')) return undefined;
  return /\bscope="([^"]*)"/.exec(challenge)?.[1];
}

/** Browsers hide a redirect that is not followed and report status 0. */
function describeRedirect(headers: Headers): string {
  const location = headers.get("location");
  const target = location === null ? "" : ` to ${location.replace(/[?#].*/s, "")}`;
  return `a redirect${target}, not followed; check baseUrl`;
}

const describeBody = ({ response, payload }: Received): string =>
  payload === undefined
    ? "no reason"
    : `${mediaType(response.headers) || "a body of type unknown"}, expected: envelope; a proxy or another API may have responded`;

/** The body of a success that is not of the documented kind. */
function describeSuccess({ answer = "list" }: Descriptor, { response, payload }: Received): string {
  const type = mediaType(response.headers);
  const body =
    payload === undefined
      ? "no body"
      : typeof payload === "string" && type.endsWith("json")
        ? "invalid or truncated JSON"
        : `a body of type ${type || "unknown"}`;
  return `${body}, expected: ${answer}`;
}
