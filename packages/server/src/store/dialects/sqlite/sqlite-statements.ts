import { DatabaseSync, StatementSync, type SQLInputValue } from "node:sqlite";
import { LeastRecentlyUsed } from "../../../least-recently-used.ts";
import type { Bindable } from "../dialect.ts";
import { RowTest } from "../row-test.ts";

const statementsPerConnection = 500;
/** Maximum length of a prepared statement, in characters. Longer ones need memory and are rarely repeated. */
const longestKept = 30_000;
/** The first releases of Node.js 22 lack this method. */
export const canReturnArrays = "setReturnArrays" in StatementSync.prototype;

/**
 * The SQL function that applies a `RowTest`. Its first argument is the index of the test among the
 * parameters.
 */
export const testName = "row_satisfies";

export const readerPragmas =
  // The cache is small, because the operating system also caches the file and long listings would fill it.
  "pragma query_only = on; pragma cache_size = -16384";

/** Opens one connection to a file. Closes it if the pragmas fail. */
export function openSqliteFile(path: string, pragmas: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    database.exec(pragmas);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** The prepared statements of one connection. Its methods throw the errors of `node:sqlite`. */
export class SqliteStatements {
  readonly #database: DatabaseSync;
  readonly #statements = new LeastRecentlyUsed<string, StatementSync>(statementsPerConnection);
  readonly #tuples = new LeastRecentlyUsed<string, StatementSync>(statementsPerConnection);
  /** The parameters of the running statement. */
  #parameters: readonly Bindable[] = [];

  constructor(database: DatabaseSync) {
    this.#database = database;
    const options = { deterministic: true, directOnly: true, varargs: true };
    database.function(testName, options, (place, ...values) => {
      const test = this.#parameters[Number(place)];
      return test instanceof RowTest && test.accepts(values) ? 1 : 0;
    });
  }

  all(text: string, parameters: readonly Bindable[]): unknown[] {
    return this.prepare(text).all(...this.#bound(parameters));
  }

  tuples(text: string, parameters: readonly Bindable[]): unknown[] {
    const prepare = () => {
      const prepared = this.#database.prepare(text);
      if (canReturnArrays) prepared.setReturnArrays(true);
      return prepared;
    };
    const statement = text.length > longestKept ? prepare() : this.#tuples.get(text, prepare);
    const rows = statement.all(...this.#bound(parameters));
    return canReturnArrays ? rows : rows.map((row) => Object.values(row));
  }

  run(text: string, parameters: readonly Bindable[]): void {
    this.prepare(text).run(...this.#bound(parameters));
  }

  prepare(text: string): StatementSync {
    if (text.length > longestKept) return this.#database.prepare(text);
    return this.#statements.get(text, () => this.#database.prepare(text));
  }

  #bound(parameters: readonly Bindable[]): SQLInputValue[] {
    this.#parameters = parameters;
    return parameters.map(toSqlite);
  }
}

export function toSqlite(value: Bindable, place: number): SQLInputValue {
  if (value instanceof RowTest) return place;
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}
