import { createHash, createSecretKey, randomBytes, type KeyObject } from "node:crypto";

/** A key that encrypts secrets in the database. */
export interface SecretKey {
  /** 16 hexadecimal digits, derived from the key. It is not a secret. */
  readonly id: string;
  readonly key: KeyObject;
}

/** A key is missing, wrong or unreadable. The message says what to do and contains no part of a key. */
export class SecretKeyError extends Error {
  override readonly name = "SecretKeyError";
}

/** AES-256. */
const keyBytes = 32;

export const secretKey = (bytes: Uint8Array): SecretKey => ({
  id: createHash("sha256").update("id of a secrets key\n").update(bytes).digest("hex").slice(0, 16),
  key: createSecretKey(bytes),
});

/** A new key as a line of a key file. */
export const newKeyText = (): string => randomBytes(keyBytes).toString("base64");

/**
 * The keys of a file: one key per line, 32 bytes in base64. `#` begins a comment. Throws a `SecretKeyError`
 * that names the line.
 */
export function readSecretKeys(text: string): readonly SecretKey[] {
  const keys = text.split(/\r?\n/).flatMap((line, at) => {
    const content = line.replace(/#.*/, "").trim();
    return content === "" ? [] : [readLine(content, at + 1)];
  });
  return [...new Map(keys.map((key) => [key.id, key])).values()];
}

function readLine(content: string, line: number): SecretKey {
  const bytes = Buffer.from(content, "base64");
  const isBase64 = /^[A-Za-z0-9+/_-]+={0,2}$/.test(content);
  if (isBase64 && bytes.length === keyBytes) return secretKey(bytes);
  throw new SecretKeyError(`line ${line}: expected ${keyBytes} bytes in base64`);
}
