import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { findKey, type Keyring } from "./keyring.ts";
import { SecretKeyError, type SecretKey } from "./secret-key.ts";

/** The place of a secret. A sealed text cannot be read at any other place. */
export interface SecretPlace {
  /** The tenant. */
  readonly cid: string;
  /** Kind of record. */
  readonly resource: string;
  readonly record: string;
  readonly field: string;
}

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;
const sealedText = /^sealed:1:(?<id>[0-9a-f]{16}):(?<content>[A-Za-z0-9_-]+)$/;

/** Encrypts a text: `sealed:1:<key id>:<nonce, ciphertext and tag>`. Each call has another nonce. */
export function seal(text: string, place: SecretPlace, { id, key }: SecretKey): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(placeBytes(place));
  const parts = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
  return `sealed:1:${id}:${Buffer.concat(parts).toString("base64url")}`;
}

/** The id of the key that sealed a text. Null if the text is not sealed. */
export const sealingKey = (text: string): string | null =>
  sealedText.exec(text)?.groups?.["id"] ?? null;

/** Decrypts a text that was sealed for this place. Throws `SecretKeyError`. */
export function unseal(sealed: string, place: SecretPlace, keys: Keyring): string {
  const { id = "", content = "" } = sealedText.exec(sealed)?.groups ?? {};
  const { key } = findKey(keys, id);
  const bytes = Buffer.from(content, "base64url");
  try {
    const nonce = bytes.subarray(0, nonceBytes);
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(placeBytes(place));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    const ciphertext = bytes.subarray(nonceBytes, -tagBytes);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString("utf8");
  } catch (error) {
    const { resource, record, field } = place;
    throw new SecretKeyError(
      `the secret ${field} of ${resource} ${record} was changed in the database, or belongs elsewhere`,
      { cause: error },
    );
  }
}

const placeBytes = ({ cid, resource, record, field }: SecretPlace): Buffer =>
  Buffer.from(JSON.stringify([cid, resource, record, field]));
