import { canonicalTimestamp } from "@security-platform/fql";

/**
 * An RFC 3339 instant as records carry it: UTC with three fraction digits, so that text order is time
 * order; finer ones are cut off. Null for any other text.
 */
export function recordTimestamp(text: string): string | null {
  const canonical = canonicalTimestamp(text);
  return canonical === null ? null : `${canonical.slice(0, 23)}Z`;
}
