import { setTimeout } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { pause } from "../../../foundation/work-turns.ts";
import { StoreTimeoutError } from "../../types/errors.ts";
import type { Connection, Dialect, InsertTarget } from "../dialect.ts";
import type { Bindable, Sql } from "../sql.ts";
import type { SqliteHandle } from "./driver.ts";
import { FatalFailure } from "./fatal-failure.ts";
import { busy, sqliteCode, sqliteFailure } from "./sqlite-errors.ts";
import { insertText, SqliteStatements, type StatementForm } from "./sqlite-statements.ts";
import type { BriefLimit } from "./statement-limit.ts";
import type { Writer } from "../write-queue.ts";

export const busyMilliseconds = 15_000;

/** About 6,400 rows, for which simple conditions need 2 ms. */
const brief: BriefLimit = { checks: 100, milliseconds: 5 };
/**
 * Milliseconds after which a statement that was not brief is tried again: twice as many each time that it is not, and half
 * as many each time that it is. On a busy machine any statement may take long once, because it waits for the processor.
 */
const pauses = { first: 50, longest: 3_200 };
const longStatementsKept = 500;

/** A statement that was not brief. */
interface LongStatement {
  /** When it may be tried again. */
  readonly again: number;
  /** The pause before that, in milliseconds. */
  readonly pause: number;
}

interface ConnectionParts {
  readonly dialect: Dialect;
  readonly path: string;
  readonly handle: SqliteHandle;
  readonly aside: Connection["aside"];
  /** Maximum time of a statement; 0: no limit. */
  readonly statementMilliseconds: number;
  /** Called after each commit, which succeeds when this does. */
  readonly committed?: () => Promise<void>;
  /** Milliseconds of a clock that only runs forward. Default: that of the process. */
  readonly now?: () => number;
}

/** Statements block the event loop, so other requests run between them. */
export class SqliteConnection implements Connection, Writer {
  readonly dialect: Dialect;
  readonly locked = new Map<string, number>();
  readonly aside: Connection["aside"];
  readonly #handle: SqliteHandle;
  readonly #path: string;
  readonly #committed: (() => Promise<void>) | undefined;
  readonly #statements: SqliteStatements;
  readonly #fatal = new FatalFailure();
  readonly #now: () => number;
  /** By their texts. */
  readonly #long = new LRUCache<string, LongStatement>({ max: longStatementsKept });

  constructor({
    dialect,
    path,
    handle,
    aside,
    statementMilliseconds,
    committed,
    now = () => performance.now(),
  }: ConnectionParts) {
    this.#now = now;
    this.dialect = dialect;
    this.aside = aside;
    this.#handle = handle;
    this.#path = path;
    this.#committed = committed;
    this.#statements = new SqliteStatements(handle, statementMilliseconds, now);
  }

  async all<Row>(query: Sql<Row>): Promise<readonly Row[]> {
    const rows = this.#execute("all", query.text, query.values) as Row[];
    const turn = pause();
    if (turn !== undefined) await turn;
    return rows;
  }

  async tuples<Tuple extends readonly unknown[]>(query: Sql<Tuple>): Promise<readonly Tuple[]> {
    const rows = this.#execute("tuples", query.text, query.values) as Tuple[];
    const turn = pause();
    if (turn !== undefined) await turn;
    return rows;
  }

  async briefly<Tuple extends readonly unknown[]>(
    query: Sql<Tuple>,
  ): Promise<readonly Tuple[] | null> {
    const { text, values } = query;
    const long = this.#long.get(text);
    if (long !== undefined && this.#now() < long.again) return null;
    let rows: readonly Tuple[] | null = null;
    try {
      rows = this.#execute("tuples", text, values, brief) as Tuple[];
      if (long !== undefined) this.#wasBrief(text, long);
    } catch (error) {
      if (!(error instanceof StoreTimeoutError)) throw error;
      const next = Math.min(Math.max(pauses.first, 2 * (long?.pause ?? 0)), pauses.longest);
      this.#long.set(text, { again: this.#now() + next, pause: next });
    }
    const turn = pause();
    if (turn !== undefined) await turn;
    return rows;
  }

  #wasBrief(text: string, { again, pause: last }: LongStatement): void {
    if (last > pauses.first) this.#long.set(text, { again, pause: last / 2 });
    else this.#long.delete(text);
  }

  async insert(target: InsertTarget, rows: readonly (readonly Bindable[])[]): Promise<void> {
    const text = insertText(target);
    for (const row of rows) {
      this.#execute("run", text, row);
      await pause();
    }
  }

  async run(script: string): Promise<void> {
    this.#execute("script", script);
  }

  async send(query: Sql): Promise<void> {
    this.#execute("run", query.text, query.values);
    await pause();
  }

  async settle(): Promise<void> {}

  undo(script: string): Promise<void> {
    this.locked.clear();
    this.#fatal.clear();
    return this.run(script);
  }

  async end(script: "commit" | "rollback"): Promise<void> {
    this.locked.clear();
    if (script === "rollback") this.#fatal.clear();
    this.#execute("run", script);
    if (script === "commit") await this.#committed?.();
  }

  get inTransaction(): boolean {
    return this.#handle.inTransaction;
  }

  async begin(): Promise<void> {
    this.locked.clear();
    this.#fatal.clear();
    const patience = performance.now() + busyMilliseconds;
    for (let wait = 1; ; wait = Math.min(wait * 2, 50)) {
      try {
        this.#statements.execute("run", "begin immediate", []);
        return;
      } catch (error) {
        if (sqliteCode(error) !== busy || performance.now() > patience) {
          throw sqliteFailure(error, this.#path);
        }
        await setTimeout(wait);
      }
    }
  }

  #execute(
    form: StatementForm | "script",
    text: string,
    parameters: readonly Bindable[] = [],
    limit?: BriefLimit,
  ): readonly unknown[] {
    this.#fatal.throwIfAny();
    const wasOpen = this.#handle.inTransaction;
    try {
      if (form !== "script") {
        return this.#statements.execute(form, text, parameters, limit);
      }
      this.#handle.exec(text);
      return [];
    } catch (error) {
      const failure = sqliteFailure(error, this.#path);
      if (wasOpen) this.#fatal.note(failure, this.#handle.inTransaction);
      throw failure;
    }
  }
}
