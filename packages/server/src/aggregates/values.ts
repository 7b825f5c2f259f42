import {
  canonicalIp,
  compareCodePoints,
  type Field,
  type FieldType,
  type Scalar,
} from "@security-platform/fql";
import { readTime, timeText } from "./times.ts";
import type { TimeZone } from "./time-zone.ts";

/** Converts a text to a canonical value of the field. Null if it is not a value. */
export function readValue(
  text: string,
  field: Field,
  clock: { readonly zone: TimeZone; readonly now: Date },
): Scalar | null {
  switch (field.type) {
    case "string":
      return text;
    case "number":
      return text.trim() === "" || !Number.isFinite(Number(text)) ? null : Number(text);
    case "boolean":
      return /^(true|false)$/i.test(text) ? text.toLowerCase() === "true" : null;
    case "timestamp":
      return readTime(text, clock.zone, clock.now);
    case "ip":
      return canonicalIp(text);
  }
}

/** Describes the input of `readValue` in messages. */
export const valueNoun: Readonly<Record<FieldType, string>> = {
  string: "a text",
  number: "a number",
  boolean: "true or false",
  timestamp: "an ISO 8601 time, or a relative one such as now-7d",
  ip: "an IP address",
};

/** Converts a canonical value to the form of records and filters. */
export function servedValue(value: Scalar, field: Field): Scalar {
  if (typeof value !== "string") return value;
  if (field.type === "timestamp") return timeText(value);
  return field.type === "ip" ? addressText(value) : value;
}

/** Ascending order: numbers by size, false before true, texts by code points. */
export function compareValues(one: Scalar, other: Scalar): number {
  if (typeof one === "string" && typeof other === "string") return compareCodePoints(one, other);
  return Number(one) - Number(other);
}

/** Converts `4:` or `6:` and hex digits to the text of an address (IPv6: RFC 5952). */
function addressText(canonical: string): string {
  const digits = canonical.slice(2);
  if (canonical.startsWith("4:")) {
    return (digits.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)).join(".");
  }
  const groups = (digits.match(/..../g) ?? []).join(":");
  return new URL(`http://[${groups}]`).hostname.slice(1, -1);
}
