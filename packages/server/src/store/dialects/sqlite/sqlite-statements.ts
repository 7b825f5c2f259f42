import { LeastRecentlyUsed } from "../../../foundation/least-recently-used.ts";
import type { InsertTarget } from "../dialect.ts";
import type { Bindable } from "../sql.ts";
import type {
  OpenOptions,
  SqliteDriver,
  SqliteHandle,
  SqliteStatement,
  SqliteValue,
} from "./driver.ts";
import { inTime, StatementLimit, type BriefLimit } from "./statement-limit.ts";

const statementsPerConnection = 500;
/** Maximum length of a prepared statement, in characters. Longer ones need memory and are rarely repeated. */
const longestKept = 30_000;

export const readerPragmas =
  // The cache is small, because the operating system also caches the file and long listings would fill it.
  "pragma query_only = on; pragma cache_size = -16384";

/** Opens one connection. Closes it if the pragmas fail. */
export function openWithPragmas(
  driver: SqliteDriver,
  path: string,
  pragmas: string,
  options?: OpenOptions,
): SqliteHandle {
  const handle = driver.open(path, options);
  try {
    handle.exec(pragmas);
  } catch (error) {
    handle.close();
    throw error;
  }
  return handle;
}

/** The form of the rows that a statement returns: see `SqliteStatement`. */
export type StatementForm = "all" | "tuples" | "run";

/** The prepared statements of one connection. It throws the errors of the driver. */
export class SqliteStatements {
  readonly #handle: SqliteHandle;
  readonly #limit: StatementLimit;
  readonly #statements = new LeastRecentlyUsed<string, SqliteStatement>(
    statementsPerConnection,
    (statement) => statement.close(),
  );

  /** `milliseconds`: the maximum time of a statement; 0: no limit. `now`: the clock of the limit. */
  constructor(handle: SqliteHandle, milliseconds: number, now?: () => number) {
    this.#handle = handle;
    this.#limit = new StatementLimit(milliseconds, now);
    handle.function(inTime, () => this.#limit.check());
  }

  /** Runs one statement. The rows of `run` are dropped. `brief`: limits for this one. */
  execute(
    form: StatementForm,
    text: string,
    parameters: readonly Bindable[],
    brief?: BriefLimit,
  ): unknown[] {
    const values = parameters.map(toSqlite);
    this.#limit.begin(brief);
    if (text.length <= longestKept) {
      const kept = this.#statements.get(text, () => this.#handle.prepare(text));
      return kept[form](values) ?? [];
    }
    const prepared = this.#handle.prepare(text);
    try {
      return prepared[form](values) ?? [];
    } finally {
      prepared.close();
    }
  }
}

const insertTexts = new WeakMap<InsertTarget, string>();

/** The statement that inserts one row. */
export function insertText(target: InsertTarget): string {
  let text = insertTexts.get(target);
  if (text === undefined) {
    const columns = target.columns.map(({ name }) => `"${name}"`);
    text = `insert into "${target.table}" (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`;
    insertTexts.set(target, text);
  }
  return text;
}

function toSqlite(value: Bindable): SqliteValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}
