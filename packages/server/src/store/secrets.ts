/** A key that encrypts secrets of the database. */
export interface UsedKey {
  readonly id: string;
  /** New secrets are encrypted with it. */
  readonly current: boolean;
  /** Encrypted members of records, superseded versions included. */
  readonly secrets: number;
}

/** The encrypted members of records, and the keys that encrypt them. */
export interface Secrets {
  /**
   * Makes the keyring's initial key that of a new database, and encrypts what is not encrypted yet. Throws
   * `SecretKeyError` if a key that the database needs is missing or wrong.
   */
  prepare(): Promise<void>;
  /** The keys that the database needs; none before its first secret. */
  keys(): Promise<readonly UsedKey[]>;
  /**
   * Encrypts all secrets with this key from now on, those of running servers included. It may be cut off
   * at any point and repeated. Returns the number of secrets that it changed.
   */
  rotateTo(id: string, options?: RotateOptions): Promise<number>;
}

export interface RotateOptions {
  readonly onProgress?: (changed: number) => void;
  /** Members per transaction. Default 200. */
  readonly batch?: number;
}
