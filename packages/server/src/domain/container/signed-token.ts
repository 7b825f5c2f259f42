import { createHmac } from "node:crypto";
import { sameSecret } from "../../secrets/same-secret.ts";

/**
 * `<prefix><content>.<signature>`. `purpose` is signed as well, so a token is valid only for it.
 */
export interface TokenForm {
  readonly prefix: string;
  readonly purpose: string;
}

/** A token with `content`, which its holder can read but not change. */
export function signToken({ prefix, purpose }: TokenForm, content: object, key: string): string {
  const text = Buffer.from(JSON.stringify(content)).toString("base64url");
  return `${prefix}${text}.${signatureOf(purpose, text, key)}`;
}

/** The content of a token that was signed with this key; null for any other text. */
export function readSignedToken<Content>(
  { prefix, purpose }: TokenForm,
  token: string,
  key: string,
): Content | null {
  const [text = "", signature = "", ...rest] = token.slice(prefix.length).split(".");
  const isSigned = sameSecret(signature, signatureOf(purpose, text, key));
  if (!token.startsWith(prefix) || rest.length > 0 || !isSigned) return null;
  return JSON.parse(Buffer.from(text, "base64url").toString()) as Content;
}

const signatureOf = (purpose: string, text: string, key: string): string =>
  createHmac("sha256", key).update(`${purpose}\n${text}`).digest("base64url");
