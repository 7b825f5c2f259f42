import { canonicalTimestamp } from "@security-platform/fql";
import type { Problem } from "../../errors.ts";

/** Clients with fixed types send it for "no expiration". */
const zeroTime = "0001-01-01T00:00:00.000Z";

/**
 * An RFC 3339 instant as records carry it: UTC with three fraction digits, so that text order is time
 * order; finer ones are cut off. Null for any other text.
 */
export function recordTimestamp(text: string): string | null {
  const canonical = canonicalTimestamp(text);
  return canonical === null ? null : `${canonical.slice(0, 23)}Z`;
}

/** The expiration that a client asks for; undefined for never. */
export function readExpiration(text: string | null | undefined): string | undefined {
  const instant = text === null || text === undefined ? null : recordTimestamp(text);
  return instant === null || instant === zeroTime ? undefined : instant;
}

export function expirationProblems(
  expiration: string | undefined,
  now: Date,
  at: string,
): readonly Problem[] {
  const current = now.toISOString();
  if (expiration === undefined || expiration > current) return [];
  return [
    {
      at: `${at}.expiration`,
      message: `expected an instant in the future, got ${expiration}; it is ${current}`,
    },
  ];
}
