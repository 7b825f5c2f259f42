import type { Descriptor } from "../wire/descriptor.ts";
import type { CallOptions } from "./call-options.ts";

/** The first retry waits up to this long, each further one up to twice as long. */
const baseMilliseconds = 250;
const maximumMilliseconds = 8_000;

/** Exponential back-off with full jitter: any time up to the limit, so that clients spread. */
export const backOff = (attempt: number, random: () => number): number =>
  random() * Math.min(maximumMilliseconds, baseMilliseconds * 2 ** (attempt - 1));

/** The key of a call: that of its options, otherwise a new one if a repeated request would act again. */
export const idempotencyKeyOf = (
  { idempotencyKeys }: { readonly idempotencyKeys: boolean },
  { keyed }: Descriptor,
  { idempotencyKey }: CallOptions,
): string | undefined =>
  // Browsers have no `randomUUID` without TLS.
  idempotencyKey ??
  (keyed && idempotencyKeys ? crypto.getRandomValues(new Uint32Array(4)).join("-") : undefined);

/**
 * Whether a response with this status may be followed by the same request: always if the server has not
 * acted (429, and 503 with a time to wait), otherwise if a repetition has no further effect. A 409 with a time to
 * wait says that the first request with the key is still in progress.
 */
export const isRetryable = (
  isRepeatable: boolean,
  status: number,
  retryAfterSeconds: number | undefined,
): boolean =>
  status === 429 ||
  (retryAfterSeconds !== undefined && [409, 503].includes(status)) ||
  (isRepeatable && [408, 500, 502, 503, 504].includes(status));

/**
 * Whether the server may have carried out a request that was sent. Rejections (3xx, 4xx, 507, and 503 with a time to
 * wait) come before the work. Without a status the response was lost.
 */
export const mayHaveActed = (
  { method, keyed }: Descriptor,
  status = 500,
  retryAfterSeconds?: number,
): boolean =>
  (keyed === true || ["PUT", "DELETE"].includes(method)) &&
  ((status >= 200 && status < 300) ||
    (status >= 500 && status !== 507 && !(status === 503 && retryAfterSeconds !== undefined)));
