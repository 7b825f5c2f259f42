import { isIdempotent, type Descriptor } from "../wire/descriptor.ts";

/** The first retry waits up to this long, each further one up to twice as long. */
const baseMilliseconds = 250;
const maximumMilliseconds = 8_000;

/** Exponential back-off with full jitter: any time up to the limit, so that clients spread. */
export const backOff = (attempt: number, random: () => number): number =>
  random() * Math.min(maximumMilliseconds, baseMilliseconds * 2 ** (attempt - 1));

const unfinished = new Set([408, 500, 502, 503, 504]);

/**
 * Whether a response with this status may be followed by the same request: always if the server has not
 * acted (429, and 503 with a time to wait), otherwise if a repetition has no further effect.
 */
export const isRetryable = (
  descriptor: Descriptor,
  status: number,
  retryAfterSeconds: number | undefined,
): boolean =>
  status === 429 ||
  (status === 503 && retryAfterSeconds !== undefined) ||
  (unfinished.has(status) && isIdempotent(descriptor));

/** Whether a request without a complete response may be sent again. */
export const isRepeatable = (descriptor: Descriptor, cause: unknown): boolean =>
  isIdempotent(descriptor) || neverConnected(cause);

const connectionCodes = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
  // Bun
  "ConnectionRefused",
]);

/** Whether no connection was made, so that the server cannot have acted. Browsers do not tell. */
function neverConnected(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  const { code } = cause as { readonly code?: unknown };
  if (typeof code === "string" && connectionCodes.has(code)) return true;
  // Deno
  if (/\bconnection refused\b/i.test(cause.message)) return true;
  return neverConnected(cause.cause);
}
