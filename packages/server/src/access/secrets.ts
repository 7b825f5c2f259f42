import { hash, randomBytes, randomInt } from "node:crypto";

/** Hexadecimal SHA-256. Sufficient for secrets and tokens, which are long and random. */
export const sha256 = (text: string): string => hash("sha256", text, "hex");

const secretLength = 40;
const secretAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** 40 letters and digits (238 random bits), because some clients refuse other characters. */
export const newSecret = (): string =>
  Array.from({ length: secretLength }, () =>
    secretAlphabet.charAt(randomInt(secretAlphabet.length)),
  ).join("");

/** An opaque access token: 256 random bits after a prefix that secret scanners can find. */
export const newToken = (): string => `spt_${randomBytes(32).toString("base64url")}`;
