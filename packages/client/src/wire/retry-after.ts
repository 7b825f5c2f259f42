import type { Clock } from "../clock.ts";

/** The three forms of a date in HTTP (RFC 9110 §5.6.7). */
const httpDate = /^[A-Z][a-z]+,? [\w -]+ [\d:]{8} (GMT|\d{4})$/;

/**
 * Whole seconds from `Retry-After` (RFC 9110 §10.2.3: seconds or a date), otherwise from the rate limit. Some servers
 * send fractions of seconds. Anything else is ignored.
 */
export function readRetryAfter(headers: Headers, clock: Clock): number | undefined {
  const retryAfter = headers.get("retry-after") ?? "";
  if (/^\d+(\.\d+)?$/.test(retryAfter)) return Math.ceil(Number(retryAfter));
  const limited = Number(headers.get("x-ratelimit-retryafter")) * 1_000;
  // The oldest form has no zone, and is also in UTC.
  const at =
    limited ||
    (httpDate.test(retryAfter) ? Date.parse(retryAfter.replace(/( GMT)?$/, " GMT")) : NaN);
  // The server's own date, because the clock of this machine may be wrong.
  const now = Date.parse(headers.get("date") ?? "") || clock.now().getTime();
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1_000));
}
