import { randomBytes } from "node:crypto";
import { sameSecret } from "../secrets/same-secret.ts";
import { sha256 } from "./secrets.ts";

/** The use of a mailed token: to set the first password, or to set a new one. */
export type PasswordTokenKind = "activation" | "password_reset";

/** A token as stored with its user. A user has at most one: a new token replaces the old one. */
export interface PasswordToken {
  readonly kind: PasswordTokenKind;
  /** SHA-256 of the token, hexadecimal. Only the mail contains the token itself. */
  readonly hash: string;
  /** RFC 3339. The token is not valid from this instant on. */
  readonly expires_at: string;
}

const daysOf: { readonly [Kind in PasswordTokenKind]: number } = {
  activation: 7,
  password_reset: 1,
};

const prefix = "pwt_";
const uuidBytes = 16;
const secretBytes = 24;

/** A token with 192 random bits. It contains the id of its user, so that no search is needed. */
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

/** The user id in a token, not verified yet. Undefined for a text that is not a token. */
export function userOfToken(token: string): string | undefined {
  if (!token.startsWith(prefix)) return undefined;
  const bytes = Buffer.from(token.slice(prefix.length), "base64url");
  if (bytes.length !== uuidBytes + secretBytes) return undefined;
  const hex = bytes.subarray(0, uuidBytes).toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Whether this is the token of the last mail and has not expired. */
export const isCurrent = ({ hash, expires_at }: PasswordToken, token: string, now: Date): boolean =>
  sameSecret(hash, sha256(token)) && now.toISOString() < expires_at;

/** The text about the token in a mail. */
export const tokenText = (token: string, { expires_at }: PasswordToken): string =>
  `Your token is ${token}. It can be used once, until ${expires_at}.`;
