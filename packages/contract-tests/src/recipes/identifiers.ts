import { createHash } from "node:crypto";

/** What an identifier belongs to. Equal parts result in the same identifier. */
type Parts = readonly (string | number)[];

/** 64 hexadecimal digits, like a SHA-256. */
export const sha256Of = (...parts: Parts): string =>
  createHash("sha256").update(parts.join("/")).digest("hex");

/** 32 hexadecimal digits, like most identifiers of the platform. */
export const identifier = (...parts: Parts): string => sha256Of(...parts).slice(0, 32);

/** A UUID of version 4. */
export function uuidOf(...parts: Parts): string {
  const hex = sha256Of(...parts);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
