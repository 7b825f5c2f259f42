/**
 * Calendar intervals in a time zone. They divide time into adjacent spans:
 * - a day starts when its date first shows on the local clock, at the change itself where a change of
 *   the clock skips midnight; weeks start on Monday; a date that the zone skipped has no span;
 * - hours and minutes are whole on the local clock and end early where the clock changes in the
 *   middle of one, so the hour that a change repeats gives two spans.
 */
import type { TimeZone } from "./time-zone.ts";

export const intervals = ["year", "month", "week", "day", "hour", "minute"] as const;
export type Interval = (typeof intervals)[number];

/** `start <= instant < end`, in milliseconds. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The span of an interval that contains an instant. */
export function spanAt(instant: number, interval: Interval, zone: TimeZone): Span {
  return interval === "hour" || interval === "minute"
    ? clockSpan(instant, interval === "hour" ? hour : minute, zone)
    : dateSpan(instant, interval, zone);
}

/**
 * The first instant at which the local clock shows `wall` (an instant written as if in UTC) or a later time.
 */
export function instantOf(wall: number, zone: TimeZone): number {
  const candidates = [zone.offset(wall - day), zone.offset(wall + day)]
    .map((offset) => wall - offset)
    .toSorted((one, other) => one - other);
  const shown = candidates.find((instant) => instant + zone.offset(instant) === wall);
  if (shown !== undefined) return shown;
  const [low = wall, high = wall] = candidates;
  return firstInstant(low, high, (instant) => instant + zone.offset(instant) >= wall);
}

function dateSpan(
  instant: number,
  interval: Exclude<Interval, "hour" | "minute">,
  zone: TimeZone,
): Span {
  let date = firstDate(instant + zone.offset(instant), interval);
  for (;;) {
    const next = nextDate(date, interval);
    const end = instantOf(next, zone);
    // The clock can be set back over midnight. The date keeps its first start.
    if (instant < end) return { start: instantOf(date, zone), end };
    date = next;
  }
}

function firstDate(wall: number, interval: "year" | "month" | "week" | "day"): number {
  const date = new Date(wall);
  date.setUTCHours(0, 0, 0, 0);
  if (interval === "week") date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  if (interval === "month" || interval === "year") date.setUTCDate(1);
  if (interval === "year") date.setUTCMonth(0);
  return date.getTime();
}

function nextDate(wall: number, interval: "year" | "month" | "week" | "day"): number {
  const date = new Date(wall);
  if (interval === "year") date.setUTCFullYear(date.getUTCFullYear() + 1);
  else if (interval === "month") date.setUTCMonth(date.getUTCMonth() + 1);
  else date.setUTCDate(date.getUTCDate() + (interval === "week" ? 7 : 1));
  return date.getTime();
}

function clockSpan(instant: number, length: number, zone: TimeZone): Span {
  const offset = zone.offset(instant);
  const start = Math.floor((instant + offset) / length) * length - offset;
  const end = start + length;
  const unchanged = (other: number): boolean => zone.offset(other) === offset;
  return {
    start: unchanged(start) ? start : firstInstant(start, instant, unchanged),
    end: unchanged(end - 1) ? end : firstInstant(instant, end - 1, (other) => !unchanged(other)),
  };
}

/**
 * The first instant after `low` that passes the test. `low` must fail, `high` must pass, and the result must
 * change only once.
 */
function firstInstant(low: number, high: number, passes: (instant: number) => boolean): number {
  let before = low;
  let after = high;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (passes(middle)) after = middle;
    else before = middle;
  }
  return after;
}
