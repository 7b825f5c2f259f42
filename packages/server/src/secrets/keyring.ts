import { newKeyText, readSecretKeys, SecretKeyError, type SecretKey } from "./secret-key.ts";

/** The keys that a process has. */
export interface Keyring {
  /** Returns null if there is no such key. */
  find(id: string): SecretKey | null;
  /** The key for a database without a key: the last one. Throws `SecretKeyError`. */
  initial(): SecretKey;
  /** The origin of the keys, for messages: `the key file /data/secrets.key`. */
  readonly source: string;
}

/** Throws `SecretKeyError`. */
export function findKey(keys: Keyring, id: string): SecretKey {
  const key = keys.find(id);
  if (key !== null) return key;
  throw new SecretKeyError(
    `the database has secrets that the key ${id} encrypts, and ${keys.source} does not have this key; ` +
      "restore it from your copy",
  );
}

/** Keys in memory: for databases in memory, and for tests. */
export class FixedKeys implements Keyring {
  readonly source = "the list of keys";
  readonly #keys: readonly SecretKey[];

  /** Default: one new key. */
  constructor(keys: readonly SecretKey[] = readSecretKeys(newKeyText())) {
    this.#keys = keys;
  }

  find(id: string): SecretKey | null {
    return this.#keys.find((key) => key.id === id) ?? null;
  }

  initial(): SecretKey {
    const last = this.#keys.at(-1);
    if (last === undefined) throw new SecretKeyError("there is no key to encrypt secrets with");
    return last;
  }
}
