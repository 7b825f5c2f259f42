import type { Problem } from "../../foundation/errors.ts";

/** Clients in statically typed languages send this time for "no expiration". */
const zeroTime = "0001-01-01T00:00:00.000Z";

/** The requested expiration; undefined if the indicator never expires. */
export const readExpiration = (requested: string | null | undefined): string | undefined =>
  requested === null || requested === zeroTime ? undefined : requested;

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
      message: `expected a time in the future, got ${expiration}; it is ${current}`,
    },
  ];
}
