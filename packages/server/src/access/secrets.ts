import { hash, randomBytes, timingSafeEqual } from "node:crypto";

/** Hex SHA-256. Sufficient for secrets and tokens, which are long and random. */
export const sha256 = (text: string): string => hash("sha256", text, "hex");

/** 40 characters of base64url: 240 random bits. */
export const newSecret = (): string => randomBytes(30).toString("base64url");

/** Opaque access token: 256 random bits behind a prefix that secret scanners can find. */
export const newToken = (): string => `spt_${randomBytes(32).toString("base64url")}`;

/** Compares two hex digests in constant time. */
export const sameDigest = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
