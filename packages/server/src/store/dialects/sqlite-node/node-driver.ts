import { DatabaseSync, StatementSync } from "node:sqlite";
import type { SqliteDriver, SqliteStatement, SqliteValue } from "../sqlite/driver.ts";

/** The SQLite of Node.js. Only this module knows `node:sqlite`. */
export const nodeDriver: SqliteDriver = {
  open: (path, { shadowTables = false } = {}) => {
    const database = new DatabaseSync(path);
    // Releases without this method never forbid it.
    if (shadowTables) database.enableDefensive?.(false);
    return {
      exec: (script) => database.exec(script),
      prepare: (text) => new NodeStatement(database.prepare(text)),
      function: (name, implementation) => {
        database.function(name, { directOnly: true }, implementation);
      },
      get inTransaction() {
        // The first releases of Node.js 22 lack this property; then a rollback is attempted.
        return (database.isTransaction as boolean | undefined) ?? true;
      },
      close: () => database.close(),
    };
  },
};

/** The first releases of Node.js 22 lack this method. */
const canReturnArrays = "setReturnArrays" in StatementSync.prototype;

class NodeStatement implements SqliteStatement {
  readonly #statement: StatementSync;
  #returnsArrays = false;

  constructor(statement: StatementSync) {
    this.#statement = statement;
  }

  all(parameters: readonly SqliteValue[]): unknown[] {
    this.#returnArrays(false);
    return this.#statement.all(...parameters);
  }

  tuples(parameters: readonly SqliteValue[]): unknown[] {
    if (!canReturnArrays) return this.all(parameters).map((row) => Object.values(row as object));
    this.#returnArrays(true);
    return this.#statement.all(...parameters);
  }

  run(parameters: readonly SqliteValue[]): void {
    this.#statement.run(...parameters);
  }

  /** Node.js frees a statement when it is garbage. */
  close(): void {}

  #returnArrays(enabled: boolean): void {
    if (this.#returnsArrays === enabled) return;
    this.#statement.setReturnArrays(enabled);
    this.#returnsArrays = enabled;
  }
}
