import { neverConnected } from "#failures";
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

/**
 * Whether the server may have carried out a request that was sent. Rejections (3xx, 4xx, and 503 with a time to
 * wait) come before the work. Without a status the answer was lost.
 */
export const mayHaveActed = (
  { method, keyed }: Descriptor,
  status = 500,
  hasRetryAfter = false,
): boolean =>
  (keyed === true || /PUT|DELETE/.test(method)) &&
  ((status >= 200 && status < 300) || (status >= 500 && !(status === 503 && hasRetryAfter)));

/** Whether a request without a complete response may be sent again. */
export const isRepeatable = (descriptor: Descriptor, cause: unknown): boolean =>
  isIdempotent(descriptor) || neverConnected(cause);
