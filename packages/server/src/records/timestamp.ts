import { canonicalTimestamp } from "@security-platform/fql";

/**
 * An RFC 3339 instant in the form of records: UTC with three fraction digits, further digits cut
 * off, so that text order is time order. Null for any other text.
 */
export function recordTimestamp(text: string): string | null {
  const canonical = canonicalTimestamp(text);
  return canonical === null ? null : `${canonical.slice(0, 23)}Z`;
}
