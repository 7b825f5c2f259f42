import { neverConnected } from "#failures";
import type { Call } from "./call.ts";
import type { RetryEvent } from "./hooks.ts";
import { backOff, isRetryable } from "./retries.ts";

/** Why and when a request is repeated. */
export type Retry = Pick<RetryEvent, "status" | "cause" | "waitMilliseconds">;

/**
 * Decides whether a request is repeated, and counts the retry. It follows an error of `fetch`, or a response with a
 * status and perhaps a `Retry-After`.
 */
export function retryAfter(
  call: Call,
  cause: unknown,
  status?: number,
  seconds?: number,
): Retry | undefined {
  const { parts, descriptor, options, idempotencyKey } = call;
  // Read here, because the body of an upload may turn out not to be repeatable.
  const {
    retries = parts.retries,
    retryWithinMilliseconds: withinMilliseconds = parts.retryWithinMilliseconds,
  } = options;
  /** Whether a repeated request has no further effect (RFC 9110 §9.2.2). */
  const isRepeatable = !descriptor.keyed || idempotencyKey !== undefined;
  const isAllowed =
    status === undefined
      ? isRepeatable || neverConnected(cause)
      : isRetryable(isRepeatable, status, seconds);
  if (!isAllowed || call.retried >= retries) return undefined;
  call.retried += 1;
  const leastMilliseconds = (seconds ?? 0) * 1_000;
  const waitMilliseconds = Math.max(leastMilliseconds, backOff(call.retried, parts.random));
  return call.elapsed() + waitMilliseconds < withinMilliseconds
    ? { status, cause, waitMilliseconds }
    : undefined;
}
