/** A value that a statement takes or returns. */
export type SqliteValue = null | number | bigint | string | Uint8Array;

/**
 * A SQLite library, such as the one of Node.js or one compiled to WebAssembly. Its errors have SQLite's extended
 * result code as `errcode`.
 */
export interface SqliteDriver {
  /** Opens a connection. Two connections with the same `path` share a database. */
  open(path: string, options?: OpenOptions): SqliteHandle;
}

export interface OpenOptions {
  /** Whether statements may write the tables inside a full-text index. Default: false. */
  readonly shadowTables?: boolean;
}

/** One connection to a database. */
export interface SqliteHandle {
  /** Runs a script without parameters. */
  exec(script: string): void;
  prepare(text: string): SqliteStatement;
  /**
   * Adds a SQL function without arguments, which is called wherever a statement names it. A statement fails with the
   * error that it throws. Triggers and views cannot call it.
   */
  function(name: string, implementation: () => SqliteValue): void;
  readonly inTransaction: boolean;
  close(): void;
}

export interface SqliteStatement {
  /** Each row is an object with the names of the columns. */
  all(parameters: readonly SqliteValue[]): unknown[];
  /** Each row is a list of values in the selected order. Faster for many rows. */
  tuples(parameters: readonly SqliteValue[]): unknown[];
  run(parameters: readonly SqliteValue[]): void;
  /** Frees the statement, which is not used afterwards. */
  close(): void;
}
