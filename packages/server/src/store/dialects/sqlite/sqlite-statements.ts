import { LeastRecentlyUsed } from "../../../least-recently-used.ts";
import type { Bindable } from "../dialect.ts";
import { RowTest } from "../row-test.ts";
import type { SqliteDriver, SqliteHandle, SqliteStatement, SqliteValue } from "./driver.ts";

const statementsPerConnection = 500;
/** Maximum length of a prepared statement, in characters. Longer ones need memory and are rarely repeated. */
const longestKept = 30_000;

/**
 * The SQL function that applies a `RowTest`. Its first argument is the index of the test among the
 * parameters.
 */
export const testName = "row_satisfies";

export const readerPragmas =
  // The cache is small, because the operating system also caches the file and long listings would fill it.
  "pragma query_only = on; pragma cache_size = -16384";

/** Opens one connection. Closes it if the pragmas fail. */
export function openWithPragmas(driver: SqliteDriver, path: string, pragmas: string): SqliteHandle {
  const handle = driver.open(path);
  try {
    handle.exec(pragmas);
  } catch (error) {
    handle.close();
    throw error;
  }
  return handle;
}

/** The prepared statements of one connection. Its methods throw the errors of the driver. */
export class SqliteStatements {
  readonly #handle: SqliteHandle;
  readonly #statements = new LeastRecentlyUsed<string, SqliteStatement>(
    statementsPerConnection,
    (statement) => statement.close(),
  );
  /** The parameters of the running statement. */
  #parameters: readonly Bindable[] = [];

  constructor(handle: SqliteHandle) {
    this.#handle = handle;
    handle.function(testName, (place, ...values) => {
      const test = this.#parameters[Number(place)];
      return test instanceof RowTest && test.accepts(values) ? 1 : 0;
    });
  }

  all(text: string, parameters: readonly Bindable[]): unknown[] {
    return this.#use(text, (statement) => statement.all(this.#bound(parameters)));
  }

  tuples(text: string, parameters: readonly Bindable[]): unknown[] {
    return this.#use(text, (statement) => statement.tuples(this.#bound(parameters)));
  }

  run(text: string, parameters: readonly Bindable[]): void {
    this.#use(text, (statement) => statement.run(this.#bound(parameters)));
  }

  #use<Result>(text: string, work: (statement: SqliteStatement) => Result): Result {
    if (text.length <= longestKept) {
      return work(this.#statements.get(text, () => this.#handle.prepare(text)));
    }
    const statement = this.#handle.prepare(text);
    try {
      return work(statement);
    } finally {
      statement.close();
    }
  }

  #bound(parameters: readonly Bindable[]): SqliteValue[] {
    this.#parameters = parameters;
    return parameters.map(toSqlite);
  }
}

function toSqlite(value: Bindable, place: number): SqliteValue {
  if (value instanceof RowTest) return place;
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}
