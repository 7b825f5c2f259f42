import { canonicalTimestamp } from "@security-platform/fql";

/**
 * Converts an RFC 3339 instant to the form of records: UTC with three fraction digits, so that text order is
 * time order. Further digits are cut off. Null for any other text.
 */
export function recordTimestamp(text: string): string | null {
  const canonical = canonicalTimestamp(text);
  return canonical === null ? null : `${canonical.slice(0, 23)}Z`;
}
