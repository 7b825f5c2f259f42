import type { SqliteDriver, SqliteHandle, SqliteStatement } from "./driver.ts";
import { sqliteFailure } from "./sqlite-errors.ts";
import { openWithPragmas } from "./sqlite-statements.ts";
import type { Snapshots } from "../../types/snapshots.ts";

/** Statements that change rows, with the table or view that they name first. */
const changes = /\b(?:insert\s+into|update|delete\s+from)\s+"?(\w+)"?/gi;
/** Statements that change no rows. */
const harmless = /^\s*(?:select|with|pragma|begin|commit|rollback|savepoint|release|analyze)\b/i;

/** The tables and views that a text changes. Null: any. */
export function changedBy(text: string): readonly string[] | null {
  const names = [...text.matchAll(changes)].map(([, name = ""]) => name);
  if (names.length > 0) return names;
  return text.split(";").every((part) => part.trim() === "" || harmless.test(part)) ? [] : null;
}

/** Reports which tables the statements of its connections change. */
export function reportingChanges(
  driver: SqliteDriver,
  note: (names: readonly string[] | null) => void,
): SqliteDriver {
  return {
    open: (path) => {
      const handle = driver.open(path);
      return {
        exec: (script) => {
          note(changedBy(script));
          handle.exec(script);
        },
        prepare: (text) => {
          const statement = handle.prepare(text);
          const names = changedBy(text);
          return names?.length === 0 ? statement : noting(statement, () => note(names));
        },
        function: (name, implementation) => handle.function(name, implementation),
        get inTransaction() {
          return handle.inTransaction;
        },
        close: () => handle.close(),
      };
    },
  };
}

const noting = (statement: SqliteStatement, note: () => void): SqliteStatement => ({
  all: (parameters) => {
    note();
    return statement.all(parameters);
  },
  tuples: (parameters) => {
    note();
    return statement.tuples(parameters);
  },
  run: (parameters) => {
    note();
    statement.run(parameters);
  },
  close: () => statement.close(),
});

interface Taken {
  /** Tables with rows. */
  readonly filled: ReadonlySet<string>;
  /** Names of the tables and views that were changed since. Null: any. */
  changed: Set<string> | null;
}

export interface SnapshotParts {
  readonly driver: SqliteDriver;
  readonly path: string;
  readonly pragmas: string;
  /** Resolves when no transaction is open. */
  readonly idle: () => Promise<void>;
}

/**
 * Copies of all rows, in a database in memory. Only the tables that have changed since are restored, so the time
 * of a restoration depends on what was written, not on what is stored. The schema stays, and with it all prepared
 * statements.
 *
 * A connection of its own copies the rows, because the full-text indexes of a connection notice only changes by
 * others.
 */
export class SqliteSnapshots implements Snapshots {
  readonly #handle: SqliteHandle;
  readonly #path: string;
  readonly #idle: () => Promise<void>;
  readonly #taken = new Map<number, Taken>();
  #tables: readonly string[] | undefined;
  #last = 0;

  constructor({ driver, path, pragmas, idle }: SnapshotParts) {
    this.#path = path;
    this.#idle = idle;
    const own = "pragma foreign_keys = off; attach ':memory:' as saved";
    this.#handle = openWithPragmas(driver, path, `${pragmas}; ${own}`, { shadowTables: true });
  }

  /** Called before each statement that changes rows, with the names of `changedBy`. */
  note(names: readonly string[] | null): void {
    for (const taken of this.#taken.values()) {
      if (names === null) taken.changed = null;
      else for (const name of names) taken.changed?.add(name);
    }
  }

  async take(): Promise<number> {
    await this.#idle();
    this.#last += 1;
    const number = this.#last;
    const filled = new Set<string>();
    this.#transact(() => {
      for (const table of this.#storedTables()) {
        if (this.#select(`select 1 from main."${table}" limit 1`).length === 0) continue;
        filled.add(table);
        this.#handle.exec(`create table ${copyOf(number, table)} as select * from main."${table}"`);
      }
    });
    this.#taken.set(number, { filled, changed: new Set() });
    return number;
  }

  async restore(number: number): Promise<void> {
    await this.#idle();
    const taken = this.#taken.get(number);
    if (taken === undefined) throw new RangeError(`there is no snapshot ${number}`);
    const { filled, changed } = taken;
    if (changed?.size === 0) return;
    this.#transact(() => {
      for (const table of this.#tablesOf(changed)) {
        this.#handle.exec(`delete from main."${table}"`);
        if (!filled.has(table)) continue;
        this.#handle.exec(`insert into main."${table}" select * from ${copyOf(number, table)}`);
      }
    });
    this.note(changed === null ? null : [...changed]);
    taken.changed = new Set();
  }

  async free(number: number): Promise<void> {
    const taken = this.#taken.get(number);
    if (taken === undefined) return;
    this.#taken.delete(number);
    for (const table of taken.filled) this.#handle.exec(`drop table ${copyOf(number, table)}`);
  }

  close(): void {
    this.#handle.close();
  }

  /** The tables do not change once they are prepared. */
  #storedTables(): readonly string[] {
    this.#tables ??= this.#select(
      `select name from main.sqlite_schema
       where type = 'table' and sql not like 'create virtual table%'`,
    );
    return this.#tables;
  }

  /** The first column of each row. */
  #select(text: string): readonly string[] {
    const statement = this.#handle.prepare(text);
    try {
      return statement.tuples([]).map((row) => (row as readonly [string])[0]);
    } finally {
      statement.close();
    }
  }

  /** Includes the tables of a view, and the table in which SQLite counts keys. */
  #tablesOf(names: ReadonlySet<string> | null): readonly string[] {
    const tables = this.#storedTables();
    if (names === null) return tables;
    const views = [...names].filter((name) => !tables.includes(name)).map((name) => `${name}_`);
    return tables.filter(
      (table) =>
        names.has(table) ||
        table === "sqlite_sequence" ||
        views.some((view) => table.startsWith(view)),
    );
  }

  #transact(work: () => void): void {
    try {
      this.#handle.exec("begin immediate");
      work();
      this.#handle.exec("commit");
    } catch (error) {
      if (this.#handle.inTransaction) this.#handle.exec("rollback");
      throw sqliteFailure(error, this.#path);
    }
  }
}

/** SQLite reserves the names of the tables inside a full-text index; these differ. */
const copyOf = (number: number, table: string): string => `saved."${number} ${table}"`;
