/** A key that encrypts secrets of the database. */
export interface UsedKey {
  readonly id: string;
  /** Whether new secrets are encrypted with the key. */
  readonly current: boolean;
  /** Number of encrypted members of records, including superseded versions. */
  readonly secrets: number;
}

/** The encrypted members of records, and the keys that encrypt them. */
export interface Secrets {
  /**
   * For a new database, makes the keyring's initial key the current one. Encrypts the secrets that are not
   * encrypted yet. Throws `SecretKeyError` if a key that the database needs is missing or wrong.
   */
  prepare(): Promise<void>;
  /** The keys that the database needs. Empty before its first secret. */
  keys(): Promise<readonly UsedKey[]>;
  /**
   * From now on, all secrets are encrypted with this key, including those that running servers write. The
   * call may be interrupted at any point and repeated. Returns the number of changed secrets.
   */
  rotateTo(id: string, options?: RotateOptions): Promise<number>;
}

export interface RotateOptions {
  readonly onProgress?: (changed: number) => void;
  /** Members per transaction. Default 200. */
  readonly batch?: number;
}
