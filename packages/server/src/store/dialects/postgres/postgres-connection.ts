import type { Socket } from "node:net";
import { DatabaseError, type ClientBase, type QueryConfig, type QueryResult } from "pg";
import type { Connection, Dialect, InsertTarget } from "../dialect.ts";
import { sql, type Bindable, type Sql } from "../sql.ts";
import { StoreReadOnlyError, StoreUnavailableError } from "../../types/errors.ts";
import {
  beginOnNodes,
  citusDialect,
  insertValuesText,
  kindOfDatabase,
  partsOf,
  readOnNodes,
  refuseUnusable,
  type KindOfDatabase,
} from "./citus.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { requestCancel } from "./postgres-cancel.ts";
import { isConsequence, postgresFailure } from "./postgres-errors.ts";
import { insertText, Statements } from "./statements.ts";
import { logPosition } from "./write-marks.ts";
import {
  beginText,
  fenceMessages,
  prepareFence,
  queryFenced,
  type Fence,
} from "./postgres-fence.ts";

/** The types of `pg` omit these members. */
interface ConnectedClient extends ClientBase {
  readonly connection: { readonly stream: Socket };
  /** The process that serves the connection, as the server or a pooler has announced it. */
  readonly processID: number;
  readonly secretKey: number;
  readonly host: string;
  readonly port: number;
}

export interface ConnectionSettings {
  /** Whether statements get names, so that the engine plans them once per connection. May become false. */
  isPrepared: boolean;
  /** What the connections of a database have found out about it. */
  readonly found: { isCitus: boolean | null };
  /** Maximum time of a statement. Null: the owner's connection, without a limit and without the role. */
  readonly statementMilliseconds: number | null;
  /** For statements without a time limit: when to ask whether the engine is alive. Default: never. */
  readonly watch?: {
    readonly milliseconds: number;
    /** Whether the engine responds on another connection. */
    readonly isAlive: () => Promise<boolean>;
  };
}

/**
 * The engine ends a statement at its limit. If there is no answer for this time longer, the engine is frozen or
 * the network is dead.
 */
const longestGrace = 5_000;

/**
 * The routine of the engine that waits for a synchronous standby. If an administrator cancels the wait, the engine reports
 * success with a warning.
 */
const waitForStandby = "SyncRepWaitForLSN";

/** A connection in pipeline mode: sends statements without waiting for the results of earlier ones. */
export class PostgresConnection implements Connection {
  readonly locked = new Map<string, number>();
  readonly aside = null;
  readonly #client: ConnectedClient;
  readonly #statements: Statements;
  /** Statements of the transaction whose results nobody has awaited. */
  readonly #posted = new Set<Promise<void>>();
  readonly #settings: ConnectionSettings;
  /** The tenants that reads see. Null in a transaction, which begins with its fence. */
  #cids: string | null = "";
  /** The messages that set the fence of the latest read. */
  #fenced: { readonly cids: string | null; readonly messages: Buffer } = {
    cids: null,
    messages: Buffer.alloc(0),
  };
  /** The first failure of the transaction. The engine then refuses all further statements. */
  #failure: unknown = null;
  #broken = false;
  /** Why the connection was ended. */
  #cut: Error | null = null;
  #holdsBack = false;
  /** Whether the connection leads to a server that accepts no writes. */
  isReadOnly = false;
  /** Number of statements without an answer. */
  #unanswered = 0;
  /** Whether the engine has stopped waiting for a standby. */
  #isUnconfirmed = false;
  /** See `hasReached`. */
  #reached = -1;

  constructor(client: ClientBase, settings: ConnectionSettings) {
    this.#client = client as ConnectedClient;
    this.#settings = settings;
    this.#statements = new Statements(settings);
    this.#endWhenSilent();
    // The running query fails with the same error. Without a listener, the event would end the process.
    client.on("error", (error) => {
      this.#broken = true;
      this.#cut ??= error;
    });
    client.on("notice", ({ routine }) => {
      if (routine === waitForStandby) this.#isUnconfirmed = true;
    });
  }

  get dialect(): Dialect {
    return this.#isCitus ? citusDialect : postgresDialect;
  }

  get #isCitus(): boolean {
    return this.#settings.found.isCitus === true;
  }

  /** Whether the connection must not be reused. */
  get isUnusable(): boolean {
    return this.#broken || this.#statements.areMany;
  }

  /** See `ConnectedClient`. */
  get announcedProcess(): number {
    return this.#client.processID;
  }

  /** Prepares the fence of reads. Throws if the login cannot take the server's role. */
  async prepare(): Promise<void> {
    await this.recognise();
    await this.#query(prepareFence(this.#fence(""), this.#settings.isPrepared));
  }

  /**
   * Finds out which extension the database has, unless another connection has done so. Throws `StoreError` if it
   * cannot store every text, or if requests would not find the schema of the login.
   */
  async recognise(): Promise<void> {
    this.#cids = null;
    const { found } = this.#settings;
    if (found.isCitus !== null) return;
    const { rows } = await this.#query({ text: kindOfDatabase });
    const [kind] = rows as readonly KindOfDatabase[];
    if (kind !== undefined) refuseUnusable(kind);
    found.isCitus = kind?.isCitus === true;
  }

  /** Reads themselves are read-only transactions, so this asks what other transactions would be. */
  async acceptsWrites(): Promise<boolean> {
    this.showTenants([]);
    const [row] = await this.all(
      sql<{ writable: boolean }>`select not pg_is_in_recovery()
        and current_setting('default_transaction_read_only') = 'off' as writable`,
    );
    this.isReadOnly = row?.writable !== true;
    return !this.isReadOnly;
  }

  /** See `logPosition` of write marks. */
  async logPosition(): Promise<number> {
    this.showTenants([]);
    const [row] = await this.all(sql<{ position: number }>`select ${logPosition} as position`);
    this.#reached = row?.position ?? -1;
    return this.#reached;
  }

  /** Whether the following reads see all changes up to this position. Asks only if the last answer was less. */
  async hasReached(position: number): Promise<boolean> {
    return this.#reached >= position || (await this.logPosition()) >= position;
  }

  /**
   * Asks the engine to end the running statement. The connection is not reused, because the engine may take the
   * request late.
   */
  cancel(): void {
    this.#broken = true;
    requestCancel(this.#client);
  }

  /** Ends the connection if the server does not close its side in this time. */
  abandonAfter(milliseconds: number): void {
    const { stream } = this.#client.connection;
    stream.setTimeout(milliseconds, () => stream.destroy());
  }

  /** Ends the connection at once. Its statements fail. */
  cut(reason: string): void {
    this.#broken = true;
    this.#client.connection.stream.destroy(new StoreUnavailableError(`PostgreSQL: ${reason}`));
  }

  async all<Row>(query: Sql<Row>): Promise<readonly Row[]> {
    const { rows } = await this.#query(this.#statements.compiled(query));
    return rows as Row[];
  }

  async tuples<Tuple extends readonly unknown[]>(query: Sql<Tuple>): Promise<readonly Tuple[]> {
    const asArrays = { ...this.#statements.compiled(query), rowMode: "array" };
    const { rows } = await this.#query(asArrays);
    return rows as unknown as Tuple[];
  }

  async insert(target: InsertTarget, rows: readonly (readonly Bindable[])[]): Promise<void> {
    if (this.#isCitus) return this.#insertOnNodes(target, rows);
    const values = target.columns.map((_, at) => rows.map((row) => row[at] ?? null));
    const text = insertText(target);
    this.post({ name: this.#statements.nameOf(text), text, values });
  }

  async #insertOnNodes(
    target: InsertTarget,
    rows: readonly (readonly Bindable[])[],
  ): Promise<void> {
    for (const part of partsOf(rows)) {
      const text = insertValuesText(target, part.length);
      const name = part.length === 1 ? this.#statements.nameOf(text) : "";
      this.post({ name, text, values: part.flat() });
    }
  }

  async send(query: Sql): Promise<void> {
    this.post(this.#statements.compiled(query));
  }

  async run(script: string): Promise<void> {
    await this.#query({ text: script });
  }

  /** Sets the tenants whose records the following reads see. */
  showTenants(cids: readonly string[]): void {
    this.#cids = cids.join(",");
  }

  /** Runs the following statements with the role of the login, outside of transactions. */
  actAsLogin(): void {
    this.#cids = null;
  }

  async transaction<Result>(
    cid: string | null,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    this.begin(cid);
    try {
      const result = await this.attempt(work);
      await this.finish("commit");
      return result;
    } catch (error) {
      await this.rollBack();
      throw error;
    }
  }

  /** Begins a transaction of a tenant. It is sent together with the first statement. */
  begin(cid: string | null): void {
    this.locked.clear();
    this.#failure = null;
    this.#cids = null;
    const { statementMilliseconds } = this.#settings;
    if (this.#isCitus && statementMilliseconds !== null) {
      const texts = beginOnNodes(cid ?? "", cid ?? "", statementMilliseconds);
      for (const text of texts) this.post({ text });
    } else {
      this.post({ text: beginText(cid, statementMilliseconds) });
    }
  }

  /** Sends a statement without waiting. After a failed statement, the engine refuses all further ones. */
  post(query: QueryConfig): void {
    const posted = this.#query(query).then(() => void this.#posted.delete(posted));
    // The end of the transaction awaits the result.
    posted.catch(() => undefined);
    this.#posted.add(posted);
  }

  /** Runs a part of the transaction. Throws the first failure instead of the failures that follow from it. */
  async attempt<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    try {
      return await work(this);
    } catch (error) {
      await this.settle();
      throw error;
    }
  }

  async settle(): Promise<void> {
    const posted = [...this.#posted];
    this.#posted.clear();
    await Promise.all(posted);
  }

  /** Runs a script that ends the transaction or a part of it. Awaits all posted statements. */
  async finish(script: string): Promise<void> {
    const ended = this.run(script);
    await Promise.all([this.settle(), ended]);
    if (!this.#isUnconfirmed) return;
    this.#isUnconfirmed = false;
    throw new StoreUnavailableError(
      "PostgreSQL: the wait for a synchronous standby was cancelled; the change is stored, but a failover may lose it",
    );
  }

  /** Runs a script that undoes a part of the transaction, including the posted statements. */
  async undo(script: string): Promise<void> {
    this.#posted.clear();
    await this.run(script);
    // This comes after the script, because earlier statements may still fail or set numbers.
    this.#failure = null;
    this.locked.clear();
  }

  /** Never rejects. A connection whose rollback fails is not reused. */
  async rollBack(): Promise<void> {
    this.#posted.clear();
    await this.run("rollback").catch(() => {
      this.#broken = true;
    });
  }

  async #query(query: QueryConfig): Promise<QueryResult> {
    this.#sendTogether();
    this.#unanswered += 1;
    try {
      return await this.#sent(query);
    } catch (error) {
      throw this.#failed(error);
    } finally {
      this.#unanswered -= 1;
    }
  }

  #sent(query: QueryConfig): Promise<QueryResult> {
    if (this.#cids === null) return this.#client.query(query);
    if (this.#isCitus) {
      const { statementMilliseconds } = this.#settings;
      return readOnNodes(this.#client, query, this.#cids, statementMilliseconds ?? 0);
    }
    return queryFenced(this.#client, query, this.#fenceMessages(this.#cids));
  }

  #fenceMessages(cids: string): Buffer {
    if (this.#fenced.cids !== cids) {
      const messages = fenceMessages(this.#fence(cids), this.#settings.isPrepared);
      this.#fenced = { cids, messages };
    }
    return this.#fenced.messages;
  }

  #fence(cids: string): Fence {
    return { cids, statementMilliseconds: this.#settings.statementMilliseconds ?? 0 };
  }

  /** Without this, statements wait for ever for a frozen engine or behind a dead network. */
  #endWhenSilent(): void {
    const { statementMilliseconds, watch } = this.#settings;
    const longest = watch?.milliseconds ?? statementMilliseconds ?? 0;
    if (longest === 0) return;
    const { stream } = this.#client.connection;
    const limit = longest + Math.min(longest, longestGrace);
    stream.setTimeout(limit);
    // A listener that is passed to `setTimeout` runs only once, which may be while the connection is idle.
    stream.on("timeout", async () => {
      if (this.#unanswered === 0) return;
      if (watch !== undefined && (await watch.isAlive())) {
        stream.setTimeout(limit);
        return;
      }
      const reason = `PostgreSQL has not responded for ${limit / 1_000} s; check that it runs and is not overloaded`;
      stream.destroy(new StoreUnavailableError(reason));
    });
  }

  /** Returns the cause: the failures that follow from the first one of a transaction do not explain anything. */
  #failed(error: unknown): unknown {
    if (!(error instanceof DatabaseError)) this.#broken = true;
    if (this.#failure !== null && isConsequence(error)) return this.#failure;
    const failure = postgresFailure(error, this.#cut);
    if (this.#cids === null) this.#failure ??= failure;
    if (failure instanceof StoreReadOnlyError) this.isReadOnly = true;
    return failure;
  }

  /** Delays statements until the running code waits, so that they are sent in one packet. */
  #sendTogether(): void {
    if (this.#holdsBack) return;
    const { stream } = this.#client.connection;
    this.#holdsBack = true;
    stream.cork();
    process.nextTick(() => {
      this.#holdsBack = false;
      stream.uncork();
    });
  }
}
