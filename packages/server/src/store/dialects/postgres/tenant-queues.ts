import type { Pool } from "pg";
import type { Connection } from "../dialect.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import { takeFrom, type CheckedOut } from "./postgres-pool.ts";
import { WriteQueue, type Writer } from "../write-queue.ts";

/** The transactions of one tenant. Transactions that wait for each other share a connection and a commit. */
class TenantWriter implements Writer {
  readonly inTransaction = true;
  readonly #pool: Pool;
  readonly #cid: string;
  #taken: CheckedOut | null = null;

  constructor(pool: Pool, cid: string) {
    this.#pool = pool;
    this.#cid = cid;
  }

  get connection(): PostgresConnection {
    if (this.#taken === null) throw new Error("the transaction has not begun");
    return this.#taken.connection;
  }

  async begin(): Promise<void> {
    this.#taken = await takeFrom(this.#pool);
    this.connection.begin(this.#cid);
  }

  run(script: string): Promise<void> {
    return this.connection.finish(script);
  }

  undo(script: string): Promise<void> {
    return this.connection.undo(script);
  }

  /** After a failed commit, the queue ends the transaction with a rollback. */
  async end(script: "commit" | "rollback"): Promise<void> {
    if (script === "commit") await this.connection.finish(script);
    else await this.connection.rollBack();
    this.#taken?.release();
    this.#taken = null;
  }
}

/**
 * A tenant's transactions wait for each other in the database anyway. Here they wait before they take a
 * connection, so that a busy tenant leaves connections to the others.
 */
export class TenantQueues {
  readonly #pool: Pool;
  readonly #queues = new Map<string, readonly [WriteQueue, TenantWriter]>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  transact<Result>(
    cid: string,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    const [queue, writer] = this.#queueOf(cid);
    return queue.transact(() => writer.connection.attempt(work));
  }

  /** The number of transactions that wait for others of their tenant. */
  get waiting(): number {
    return [...this.#queues.values()].reduce((sum, [queue]) => sum + queue.waiting, 0);
  }

  async idle(): Promise<void> {
    await Promise.all([...this.#queues.values()].map(([queue]) => queue.idle()));
  }

  #queueOf(cid: string): readonly [WriteQueue, TenantWriter] {
    const existing = this.#queues.get(cid);
    if (existing !== undefined) return existing;
    const writer = new TenantWriter(this.#pool, cid);
    const created = [
      new WriteQueue(writer, { onIdle: () => this.#queues.delete(cid) }),
      writer,
    ] as const;
    this.#queues.set(cid, created);
    return created;
  }
}
