import { timingSafeEqual } from "node:crypto";

/** Compares secrets, digests or signatures in a time that depends only on their lengths. */
export function sameSecret(left: string, right: string): boolean {
  const leftBytes = Buffer.from(left);
  const rightBytes = Buffer.from(right);
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes);
}
