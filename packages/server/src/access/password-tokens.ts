import { randomBytes } from "node:crypto";
import { sameDigest, sha256 } from "./secrets.ts";

/** What the reader of a mail can do with its token: set the first password, or a new one. */
export type PasswordTokenKind = "activation" | "password_reset";

/** As kept with its user, one at most: a newer one takes its place. */
export interface PasswordToken {
  readonly kind: PasswordTokenKind;
  /** SHA-256 of the token, hex; the token itself is in the mail only. */
  readonly hash: string;
  /** RFC 3339; from then on it opens nothing. */
  readonly expires_at: string;
}

const daysOf: { readonly [Kind in PasswordTokenKind]: number } = {
  activation: 7,
  password_reset: 1,
};

const prefix = "pwt_";
const uuidBytes = 16;
const secretBytes = 24;

/** A token that names its user, so that nobody has to be searched, and carries 192 random bits. */
export function newPasswordToken(
  uuid: string,
  kind: PasswordTokenKind,
  now: Date,
): { readonly token: string; readonly stored: PasswordToken } {
  const named = Buffer.from(uuid.replaceAll("-", ""), "hex");
  const bytes = Buffer.concat([named, randomBytes(secretBytes)]);
  const token = `${prefix}${bytes.toString("base64url")}`;
  const expires_at = new Date(now.getTime() + daysOf[kind] * 86_400_000).toISOString();
  return { token, stored: { kind, hash: sha256(token), expires_at } };
}

/** The user that a token names, whoever that is; undefined for a text that is no token. */
export function userOfToken(token: string): string | undefined {
  if (!token.startsWith(prefix)) return undefined;
  const bytes = Buffer.from(token.slice(prefix.length), "base64url");
  if (bytes.length !== uuidBytes + secretBytes) return undefined;
  const hex = bytes.subarray(0, uuidBytes).toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Whether this is the token that was mailed last, and its time is not over. */
export const isCurrent = ({ hash, expires_at }: PasswordToken, token: string, now: Date): boolean =>
  sameDigest(hash, sha256(token)) && now.toISOString() < expires_at;

/** What a mail says of its token. */
export const tokenText = (token: string, { expires_at }: PasswordToken): string =>
  `Your token is ${token}. It can be used once, until ${expires_at}.`;
