import type {
  SqliteDriver,
  SqliteHandle,
  SqliteStatement,
  SqliteValue,
} from "@security-platform/server/portable";
import { fileSystemName } from "./file-system.ts";
import { LongTexts } from "./long-texts.ts";
import type { WasmLibrary } from "./wasm-library.ts";
import type { Pointer } from "./wasm-memory.ts";

/** Results, column types and flags of SQLite's C interface. */
const row = 100;
const done = 101;
const integer = 1;
const float = 2;
const text = 3;
const blob = 4;
/** Statements that are kept for long are allocated so that they do not fragment the memory. */
const persistent = 1;
/** The counter of the times that SQLite has prepared a statement again. */
const preparedAgain = 5;

/** The SQLite that is compiled to WebAssembly. Its files are in memory, by their paths. */
export function wasmDriver(library: WasmLibrary): SqliteDriver {
  return {
    // Statements may always write the tables inside a full-text index: this build does not defend them.
    open: (path) => openHandle(library, path),
  };
}

function openHandle(library: WasmLibrary, path: string): SqliteHandle {
  const { capi, wasm, exports } = library;
  const out = wasm.alloc(4);
  const flags = capi.SQLITE_OPEN_READWRITE | capi.SQLITE_OPEN_CREATE;
  const code = capi.sqlite3_open_v2(path, out, flags, fileSystemName);
  const database = wasm.peekPtr(out);
  wasm.dealloc(out);
  const connection = new WasmConnection(library, database);
  if (code !== 0) {
    const error = connection.failure(code);
    capi.sqlite3_close_v2(database);
    throw error;
  }
  capi.sqlite3_extended_result_codes(database, 1);
  // Otherwise the planner looks at the values of parameters, and statements are prepared again for each execution.
  connection.check(capi.sqlite3_db_config(database, capi.SQLITE_DBCONFIG_ENABLE_QPSG, 1, 0));
  return {
    exec: (script) => connection.check(capi.sqlite3_exec(database, script, 0, 0, 0)),
    prepare: (source) => {
      const statement = connection.prepare(source);
      return new WasmStatement({ library, connection, statement });
    },
    function: (name, implementation) => {
      // A JavaScript error becomes a failure of the statement, which then throws it.
      const call = (): SqliteValue => connection.call(implementation);
      const encoding = (capi.SQLITE_UTF8 | capi.SQLITE_DIRECTONLY) as typeof capi.SQLITE_UTF8;
      connection.check(
        capi.sqlite3_create_function_v2(database, name, 0, encoding, 0, call, 0, 0, 0),
      );
    },
    get inTransaction() {
      return exports.sqlite3_get_autocommit(database) === 0;
    },
    close: () => {
      connection.finalizeAll();
      connection.check(capi.sqlite3_close_v2(database));
    },
  };
}

class WasmConnection {
  readonly #library: WasmLibrary;
  readonly #database: Pointer;
  readonly #statements = new Set<Pointer>();
  #thrown: { readonly error: unknown } | null = null;

  constructor(library: WasmLibrary, database: Pointer) {
    this.#library = library;
    this.#database = database;
  }

  /** Throws unless the result code is that of success. */
  check(code: number): void {
    if (code !== 0) throw this.failure(code);
  }

  /** The error of a function in the statement, or SQLite's. */
  failure(code: number): unknown {
    const thrown = this.#thrown;
    this.#thrown = null;
    if (thrown !== null) return thrown.error;
    const message = this.#library.capi.sqlite3_errmsg(this.#database);
    return Object.assign(new Error(message), { errcode: code });
  }

  call(implementation: () => SqliteValue): SqliteValue {
    try {
      return implementation();
    } catch (error) {
      this.#thrown = { error };
      throw error;
    }
  }

  prepare(source: string): Pointer {
    const { capi, wasm } = this.#library;
    const scope = wasm.scopedAllocPush();
    try {
      const out = wasm.scopedAlloc(4);
      const [pointer, bytes] = wasm.scopedAllocCString(source, true);
      this.check(capi.sqlite3_prepare_v3(this.#database, pointer, bytes + 1, persistent, out, 0));
      const statement = wasm.peekPtr(out);
      if (statement === 0) throw new Error(`there is no statement in: ${source}`);
      this.#statements.add(statement);
      return statement;
    } finally {
      wasm.scopedAllocPop(scope);
    }
  }

  finalize(statement: Pointer): void {
    if (this.#statements.delete(statement)) this.#library.capi.sqlite3_finalize(statement);
  }

  finalizeAll(): void {
    for (const statement of this.#statements) this.finalize(statement);
  }
}

interface StatementParts {
  readonly library: WasmLibrary;
  readonly connection: WasmConnection;
  readonly statement: Pointer;
}

class WasmStatement implements SqliteStatement {
  readonly #library: WasmLibrary;
  readonly #connection: WasmConnection;
  readonly #statement: Pointer;
  readonly #parameters: number;
  #names: readonly string[] = [];
  #namesOf = -1;

  constructor({ library, connection, statement }: StatementParts) {
    this.#library = library;
    this.#connection = connection;
    this.#statement = statement;
    this.#parameters = library.exports.sqlite3_bind_parameter_count(statement);
  }

  all(parameters: readonly SqliteValue[]): unknown[] {
    return this.#rows(parameters, (columns) => {
      const record: Record<string, SqliteValue> = {};
      this.#columnNames(columns).forEach((name, column) => {
        record[name] = this.#value(column);
      });
      return record;
    });
  }

  tuples(parameters: readonly SqliteValue[]): unknown[] {
    const { exports, memory } = this.#library;
    const texts = new LongTexts(memory);
    const tuples = this.#rows(parameters, (columns) => {
      const values: SqliteValue[] = [];
      for (let column = 0; column < columns; column += 1) {
        const bytes = this.#longTextBytes(column);
        if (bytes === 0) values.push(this.#value(column));
        else texts.add(values, exports.sqlite3_column_text(this.#statement, column), bytes);
      }
      return values;
    });
    texts.decode();
    return tuples;
  }

  run(parameters: readonly SqliteValue[]): void {
    this.#rows(parameters, () => null);
  }

  close(): void {
    this.#connection.finalize(this.#statement);
  }

  #rows<Row>(parameters: readonly SqliteValue[], read: (columns: number) => Row): Row[] {
    const { exports } = this.#library;
    const statement = this.#statement;
    try {
      this.#bind(parameters);
      const rows: Row[] = [];
      for (;;) {
        const code = exports.sqlite3_step(statement);
        if (code === done) return rows;
        if (code !== row) throw this.#connection.failure(code);
        // A change of the schema may change the columns at the first step.
        rows.push(read(exports.sqlite3_column_count(statement)));
      }
    } finally {
      exports.sqlite3_reset(statement);
      exports.sqlite3_clear_bindings(statement);
    }
  }

  /** A change of the schema may change them; then the statement is prepared again. */
  #columnNames(columns: number): readonly string[] {
    const { exports } = this.#library;
    const prepared = exports.sqlite3_stmt_status(this.#statement, preparedAgain, 0);
    if (this.#namesOf !== prepared) {
      this.#names = Array.from({ length: columns }, (_, column) => this.#columnName(column));
      this.#namesOf = prepared;
    }
    return this.#names;
  }

  #columnName(column: number): string {
    const { exports, memory } = this.#library;
    return memory.textToZero(exports.sqlite3_column_name(this.#statement, column));
  }

  #bind(parameters: readonly SqliteValue[]): void {
    if (parameters.length > this.#parameters) {
      throw new RangeError(
        `the statement has ${this.#parameters} parameters, not ${parameters.length}`,
      );
    }
    parameters.forEach((value, index) => {
      this.#connection.check(this.#bindOne(index + 1, value));
    });
  }

  #bindOne(index: number, value: SqliteValue): number {
    const { exports, capi, memory } = this.#library;
    const statement = this.#statement;
    if (value === null) return exports.sqlite3_bind_null(statement, index);
    if (typeof value === "number") return exports.sqlite3_bind_double(statement, index, value);
    if (typeof value === "bigint") return exports.sqlite3_bind_int64(statement, index, value);
    const free = capi.SQLITE_WASM_DEALLOC as Pointer;
    if (typeof value === "string") {
      const { pointer, bytes } = memory.addText(value);
      return exports.sqlite3_bind_text(statement, index, pointer, bytes, free);
    }
    const pointer = memory.addBytes(value);
    return exports.sqlite3_bind_blob(statement, index, pointer, value.length, free);
  }

  /** 0 for all other values. */
  #longTextBytes(column: number): number {
    const { exports } = this.#library;
    if (exports.sqlite3_column_type(this.#statement, column) !== text) return 0;
    const bytes = exports.sqlite3_column_bytes(this.#statement, column);
    return LongTexts.has(bytes) ? bytes : 0;
  }

  #value(column: number): SqliteValue {
    const { exports, memory } = this.#library;
    const statement = this.#statement;
    switch (exports.sqlite3_column_type(statement, column)) {
      case integer: {
        const value = exports.sqlite3_column_double(statement, column);
        if (Number.isSafeInteger(value)) return value;
        throw new RangeError(`the integer of column ${this.#columnName(column)} is beyond 2^53`);
      }
      case float:
        return exports.sqlite3_column_double(statement, column);
      case text: {
        const pointer = exports.sqlite3_column_text(statement, column);
        return memory.text(pointer, exports.sqlite3_column_bytes(statement, column));
      }
      case blob: {
        const pointer = exports.sqlite3_column_blob(statement, column);
        return memory.view(pointer, exports.sqlite3_column_bytes(statement, column)).slice();
      }
      default:
        return null;
    }
  }
}
