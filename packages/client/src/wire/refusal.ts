import { asObject } from "./any-object.ts";
import { isEnvelope, mediaType, readResponse, type Received } from "./answer.ts";
import type { Clock } from "../clock.ts";
import type { Descriptor } from "./descriptor.ts";
import * as errors from "./errors.ts";
import type { ErrorEntry, Refusal } from "./errors.ts";

/**
 * The effective status. A success whose Envelope contains errors failed in part, and treating it as a
 * success would hide missing records.
 */
export function effectiveStatus(descriptor: Descriptor, response: Received): number {
  const { status } = response;
  if (status < 200 || status > 299 || !isEnvelope(descriptor, response)) return status;
  const [first] = readEntries(response.payload);
  if (first === undefined) return status;
  return first.code >= 400 && first.code <= 599 ? first.code : 500;
}

/** Creates the error of a failed call. */
export function refusalError(
  descriptor: Descriptor,
  response: Received,
  clock: Clock,
  call: errors.Failure,
): errors.CallError {
  const { headers, payload } = response;
  const { traceId, rateLimit } = readResponse(response);
  const status = effectiveStatus(descriptor, response);
  if (status < 400) {
    return new errors.UnexpectedResponseError(call, status, describeRedirect(headers));
  }
  const entries = readEntries(payload);
  const refusal: Refusal = {
    traceId,
    rateLimit,
    status,
    errors: entries.length > 0 ? entries : [{ code: status, message: describeBody(response) }],
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
};

function readEntries(payload: unknown): readonly ErrorEntry[] {
  const entries = asObject(payload)?.["errors"];
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown): ErrorEntry[] => {
    const { code, message, id } = asObject(entry) ?? {};
    if (typeof code !== "number" || typeof message !== "string") return [];
    return [{ code, message, ...(typeof id === "string" ? { id } : {}) }];
  });
}

function readFound(payload: unknown): readonly unknown[] {
  const resources = asObject(payload)?.["resources"];
  return Array.isArray(resources) ? resources : [];
}

/** Whole seconds from `Retry-After` (RFC 9110 §10.2.3: seconds or a date), otherwise from the rate limit. */
export function readRetryAfter(headers: Headers, clock: Clock): number | undefined {
  const retryAfter = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  const limited = headers.get("x-ratelimit-retryafter") ?? "";
  const at = /^\d+$/.test(limited) ? Number(limited) * 1_000 : Date.parse(retryAfter);
  // The server's own date, because the clock of this machine may be wrong.
  const now = Date.parse(headers.get("date") ?? "") || clock.now().getTime();
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1_000));
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

const describeBody = ({ headers, payload }: Received): string =>
  payload === undefined
    ? "no reason"
    : `${mediaType(headers) || "a body of type unknown"}, expected: envelope; a proxy or another API may have answered`;
