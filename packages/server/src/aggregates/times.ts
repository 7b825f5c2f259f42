import { canonicalTimestamp, hasZone, lowerFilter, parseFilter } from "@security-platform/fql";
import { instantOf } from "./calendar.ts";
import { utc, type TimeZone } from "./time-zone.ts";

/** Milliseconds as a canonical timestamp; null for years of more than four digits. */
export const canonicalInstant = (instant: number): string | null =>
  canonicalTimestamp(new Date(instant).toISOString());

/** Milliseconds of a canonical timestamp, truncated. */
export const milliseconds = (canonical: string): number => Date.parse(`${canonical.slice(0, 23)}Z`);

/**
 * Converts a bound to a canonical timestamp. It is ISO 8601 (on the zone's clock if it has no offset), or
 * relative to `now` as in a filter (`now-7d`). Null for any other text.
 */
export function readTime(text: string, zone: TimeZone, now: Date): string | null {
  if (text.startsWith("now")) return relativeTime(text, now);
  const canonical = canonicalTimestamp(text);
  if (canonical === null || hasZone(text)) return canonical;
  const local = instantOf(milliseconds(canonical), zone);
  const instant = canonicalInstant(Math.floor(local / 1000) * 1000);
  return instant === null ? null : instant.slice(0, 19) + canonical.slice(19);
}

/** A canonical timestamp as it is served: in the zone's local time, with the shortest fraction. */
export function timeText(canonical: string, zone: TimeZone = utc): string {
  const fraction = canonical.slice(19, -1).replace(/\.?(?<!0)0+$/, "");
  const instant = Date.parse(`${canonical.slice(0, 19)}Z`);
  const offset = zone.offset(instant);
  const minutes = Math.abs(offset) / 60_000;
  // RFC 3339 offsets have no seconds, but local mean times before standard time do.
  if (minutes === 0 || !Number.isInteger(minutes)) return `${canonical.slice(0, 19)}${fraction}Z`;
  const local = new Date(instant + offset).toISOString().slice(0, -5);
  const hours = String(Math.floor(minutes / 60)).padStart(2, "0");
  const rest = String(minutes % 60).padStart(2, "0");
  return `${local}${fraction}${offset < 0 ? "-" : "+"}${hours}:${rest}`;
}

/** Parses the text as an operand of a filter, so that bounds and filters accept the same texts. */
function relativeTime(text: string, now: Date): string | null {
  try {
    const filter = parseFilter(`at:>='${text}'`);
    const predicate = lowerFilter(filter, { at: { type: "timestamp" } }, now);
    return predicate.kind === "compare" ? String(predicate.value) : null;
  } catch {
    return null;
  }
}
