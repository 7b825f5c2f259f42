import type { Clock } from "../clock.ts";

/**
 * Whole seconds from `Retry-After` (RFC 9110 §10.2.3: seconds or a date), otherwise from the rate limit. Some servers
 * send fractions of seconds, which `Date.parse` would take for a date.
 */
export function readRetryAfter(headers: Headers, clock: Clock): number | undefined {
  const retryAfter = headers.get("retry-after") ?? "";
  const seconds = parseFloat(retryAfter);
  if (seconds >= 0) return Math.ceil(seconds);
  const limited = parseFloat(headers.get("x-ratelimit-retryafter") ?? "");
  const at = limited * 1_000 || Date.parse(retryAfter);
  // The server's own date, because the clock of this machine may be wrong.
  const now = Date.parse(headers.get("date") ?? "") || clock.now().getTime();
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1_000));
}
