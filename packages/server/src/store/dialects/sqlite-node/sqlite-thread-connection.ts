import { moduleBeside, Thread } from "../../../threads/thread.ts";
import type { Connection, Dialect, InsertTarget } from "../dialect.ts";
import type { Bindable, Sql } from "../sql.ts";
import { FatalFailure } from "../sqlite/fatal-failure.ts";
import { sqliteFailure } from "../sqlite/sqlite-errors.ts";
import { insertText } from "../sqlite/sqlite-statements.ts";
import type { StatementReply, StatementRequest } from "./sqlite-statements-thread.ts";
import type { Writer } from "../write-queue.ts";

interface ThreadConnectionParts {
  readonly dialect: Dialect;
  readonly path: string;
  readonly pragmas: string;
  /** Maximum time of a statement; 0: no limit. */
  readonly statementMilliseconds: number;
  /** Time after which an idle thread ends; null: never. */
  readonly idleMilliseconds: number | null;
  /** Called after each commit, which succeeds when this does. */
  readonly committed?: () => Promise<void>;
}

/** What differs between the forms of a request. */
type Form<Request = StatementRequest> = Request extends unknown
  ? Omit<Request, "path" | "pragmas" | "milliseconds" | "inTransaction">
  : never;

/** A connection of a thread, for statements and commits that would block the event loop for long. */
export class SqliteThreadConnection implements Connection, Writer {
  readonly dialect: Dialect;
  readonly locked = new Map<string, number>();
  readonly aside = null;
  readonly #path: string;
  readonly #pragmas: string;
  readonly #milliseconds: number;
  readonly #thread: Thread<StatementRequest, StatementReply>;
  readonly #committed: (() => Promise<void>) | undefined;
  #inTransaction = false;
  readonly #fatal = new FatalFailure();

  constructor({
    dialect,
    path,
    pragmas,
    statementMilliseconds,
    idleMilliseconds,
    committed,
  }: ThreadConnectionParts) {
    this.dialect = dialect;
    this.#path = path;
    this.#pragmas = pragmas;
    this.#milliseconds = statementMilliseconds;
    this.#committed = committed;
    this.#thread = new Thread(moduleBeside(import.meta.url, "sqlite-statements-thread"), {
      stays: idleMilliseconds === null,
      idleMilliseconds: idleMilliseconds ?? 0,
    });
  }

  all<Row>(query: Sql<Row>): Promise<readonly Row[]> {
    return this.#call({ form: "all", text: query.text, parameters: query.values });
  }

  tuples<Tuple extends readonly unknown[]>(query: Sql<Tuple>): Promise<readonly Tuple[]> {
    return this.#call({ form: "tuples", text: query.text, parameters: query.values });
  }

  async send(query: Sql): Promise<void> {
    await this.#call({ form: "run", text: query.text, parameters: query.values });
  }

  async insert(target: InsertTarget, rows: readonly (readonly Bindable[])[]): Promise<void> {
    await this.#call({ form: "insert", text: insertText(target), rows });
  }

  async run(script: string): Promise<void> {
    await this.#call({ form: "script", text: script });
  }

  async settle(): Promise<void> {}

  get inTransaction(): boolean {
    return this.#inTransaction;
  }

  /** Waits for the write lock in the thread. */
  begin(): Promise<void> {
    this.locked.clear();
    this.#fatal.clear();
    return this.run("begin immediate");
  }

  undo(script: string): Promise<void> {
    this.locked.clear();
    this.#fatal.clear();
    return this.run(script);
  }

  async end(script: "commit" | "rollback"): Promise<void> {
    this.locked.clear();
    if (script === "rollback") this.#fatal.clear();
    await this.run(script);
    if (script === "commit") await this.#committed?.();
  }

  close(): Promise<void> {
    return this.#thread.end();
  }

  async #call<Row>(form: Form): Promise<readonly Row[]> {
    this.#fatal.throwIfAny();
    const inTransaction = this.#inTransaction;
    let reply: StatementReply;
    try {
      reply = await this.#thread.call({
        path: this.#path,
        pragmas: this.#pragmas,
        milliseconds: this.#milliseconds,
        inTransaction,
        ...form,
      });
    } catch (error) {
      // Either the thread has ended, and its connection with it, or it has lost the transaction.
      this.#inTransaction = false;
      if (inTransaction) this.#fatal.note(error, false);
      throw error;
    }
    this.#inTransaction = reply.inTransaction;
    if ("rows" in reply) return reply.rows as Row[];
    const { message, errcode } = reply;
    const failure = sqliteFailure(Object.assign(new Error(message), { errcode }), this.#path);
    if (inTransaction) this.#fatal.note(failure, reply.inTransaction);
    throw failure;
  }
}
