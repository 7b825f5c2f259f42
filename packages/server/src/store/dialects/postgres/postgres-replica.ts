import { DatabaseError, type ClientConfig } from "pg";
import { currentCallerAbort } from "../../../foundation/caller-abort.ts";
import {
  StoreBusyError,
  StoreError,
  StoreTimeoutError,
  StoreUnavailableError,
} from "../../types/errors.ts";
import type { PoolLoad } from "../../types/pool-load.ts";
import type { ReplicaLoad, ReplicaState } from "../../types/replica.ts";
import { platformCid } from "../../types/visibility.ts";
import type { Connection } from "../dialect.ts";
import { sql } from "../sql.ts";
import { NoTurnError } from "../../../threads/tenant-turns.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import { checkPools } from "./check-postgres.ts";
import { checkOut, loadOf, openPool, type PoolSettings } from "./postgres-pool.ts";
import { readAs, ReadTurns } from "./postgres-reads.ts";
import { logPosition, WriteMarks } from "./write-marks.ts";

export interface ReplicaOptions {
  readonly config: ClientConfig;
  readonly settings: Omit<PoolSettings, "generation" | "onIdleError">;
  readonly connectMilliseconds: number;
  /** Called when reads begin to go elsewhere. `reason`: why it is away. */
  readonly onChange: (state: ReplicaState, reason: string | null) => void;
}

const lookMilliseconds = 1_000;
/** A look that takes longer finds the replica away. */
const lookLimit = 2_000;

/** It has no such column, function or table yet, such as those of an index that an operator has just added. */
const lacking: ReadonlySet<string> = new Set(["42703", "42883", "42P01"]);

/** What identifies a database and all its replicas, and the position of one of them. */
interface Origin {
  readonly identity: string;
  readonly position: number;
}

const originOf = async (connection: PostgresConnection): Promise<Origin> => {
  connection.showTenants([]);
  const [origin] = await connection.all(sql<Origin>`
    select system_identifier || '/' || d.oid as identity, ${logPosition} as position
    from pg_control_system(), pg_database as d where d.datname = current_database()`);
  if (origin === undefined) throw new Error("a connection has a database");
  return origin;
};

/**
 * A streaming replica of the database, for reads of requests that only read. It never makes such a read fail: what it
 * cannot serve, the primary serves. The address may lead to one of several replicas with each connection.
 */
export class PostgresReplica {
  readonly #options: ReplicaOptions;
  readonly #pool: ReturnType<typeof openPool>;
  /** One connection, so that a look waits for no read. */
  readonly #lookout: ReturnType<typeof openPool>;
  readonly #settings: PoolSettings;
  readonly #turns: ReadTurns;
  readonly #reads = { served: 0, behind: 0, away: 0 };
  #origin: Origin = { identity: "", position: Infinity };
  #marks = new WriteMarks(0);
  #state: ReplicaState | null = null;
  /** A position that the replica should have reached by the next look. */
  #expected = 0;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<unknown> | null = null;

  constructor(options: ReplicaOptions) {
    const { config, settings, connectMilliseconds } = options;
    this.#options = options;
    // A connection that breaks while it is idle is noticed by the next look.
    const onIdleError = (): void => undefined;
    this.#settings = { ...settings, onIdleError, generation: { number: 0 } };
    const connecting = { connectionTimeoutMillis: Math.min(connectMilliseconds, lookLimit) };
    this.#pool = openPool({ ...config, ...connecting }, this.#settings);
    this.#lookout = openPool(
      { ...config, ...connecting },
      { ...this.#settings, isPrepared: false, size: 1, statementMilliseconds: lookLimit },
    );
    this.#turns = new ReadTurns(this.#pool, settings.size, connectMilliseconds);
  }

  get marks(): WriteMarks {
    return this.#marks;
  }

  get load(): ReplicaLoad {
    return { state: this.#state ?? "away", reads: { ...this.#reads } };
  }

  get connections(): PoolLoad {
    const { waitingCount } = this.#pool;
    return {
      pool: "replica",
      ...loadOf(this.#pool),
      waiting: waitingCount + this.#turns.waiting,
    };
  }

  /**
   * Begins to serve reads, once the primary has all tables. Throws `StoreError` if this is no replica of the primary, or
   * if it refuses the login. A replica that cannot be reached serves reads once it can.
   */
  async start(
    onPrimary: (work: (connection: PostgresConnection) => Promise<Origin>) => Promise<Origin>,
  ): Promise<void> {
    this.#origin = await onPrimary(originOf);
    this.#marks = new WriteMarks(this.#origin.position);
    const failure = await this.#look();
    if (failure instanceof StoreError && !mayPass(failure)) {
      throw new StoreError(`the replica of the database: ${failure.message}`, { cause: failure });
    }
    this.#timer = setInterval(() => void this.#look(), lookMilliseconds).unref();
  }

  /** Null: the primary has to serve the read. */
  async read<Result>(
    cids: readonly string[],
    work: (connection: Connection) => Promise<Result>,
  ): Promise<{ readonly result: Result } | null> {
    const { cid = null } = currentCallerAbort() ?? {};
    // Tenants, tokens, users and roles decide what a caller may do, so they are never old.
    if (cid === null || cids.length === 0 || cids.includes(platformCid)) return null;
    const outcome = await this.#attempt(this.#marks.neededBy(cid, cids), cids, work);
    if (typeof outcome === "object") {
      this.#reads.served += 1;
      return outcome;
    }
    this.#reads[outcome] += 1;
    return null;
  }

  async #attempt<Result>(
    needed: number,
    cids: readonly string[],
    work: (connection: Connection) => Promise<Result>,
  ): Promise<{ readonly result: Result } | "behind" | "away"> {
    if (this.#state === "away" || this.#state === null) return "away";
    try {
      return await this.#turns.run(cids, async (connection) =>
        (await connection.hasReached(needed))
          ? { result: await readAs(connection, cids, work) }
          : "behind",
      );
    } catch (error) {
      // It has worked for too many others, as the primary would.
      if (error instanceof StoreUnavailableError && error.cause instanceof NoTurnError) throw error;
      // A replica ends reads that keep it from removing rows as the primary did.
      if (error instanceof StoreUnavailableError || error instanceof StoreBusyError) return "away";
      if (error instanceof DatabaseError && lacking.has(error.code ?? "")) return "behind";
      throw error;
    }
  }

  /** One look after the other: a replica that does not respond takes longer than the time between two. */
  #look(): Promise<unknown> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  /** Returns why the replica cannot be used; null if it can. */
  async #lookOnce(): Promise<unknown> {
    const expected = this.#expected;
    try {
      const position = await checkOut(this.#lookout, (connection) => connection.logPosition());
      if (this.#state === "away" || this.#state === null) await this.#check();
      this.#become(position < expected ? "behind" : "serving");
      this.#expected = this.#marks.latest;
      return null;
    } catch (error) {
      this.#become("away", error instanceof Error ? error.message : String(error));
      // Reads that wait for it go to the primary at once.
      this.#pool.cut("the replica does not respond");
      return error;
    }
  }

  /** Throws `StoreError` if its reads would not be fenced by tenant, or would be of another database. */
  async #check(): Promise<void> {
    const { identity } = await checkOut(this.#lookout, originOf);
    if (identity !== this.#origin.identity) {
      throw new StoreError(
        "PostgreSQL: it is no streaming replica of the database; check the URL of --database-replica",
      );
    }
    await checkPools(this.#pool, this.#lookout, this.#settings);
  }

  #become(state: ReplicaState, reason: string | null = null): void {
    const isFirst = this.#state === null && state === "serving";
    if (state !== this.#state && !isFirst) this.#options.onChange(state, reason);
    this.#state = state;
  }

  async close(milliseconds: number): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([this.#pool.close(milliseconds), this.#lookout.close(milliseconds)]);
  }
}

/** Whether the replica may work later without another setting. */
function mayPass(failure: StoreError): boolean {
  const { cause } = failure;
  const code = cause instanceof DatabaseError ? (cause.code ?? "") : "";
  if (code.startsWith("28") || code === "3D000") return false;
  // A new database: the replica has no role and no tables yet.
  if (code === "22023" || code === "42P01") return true;
  return [StoreUnavailableError, StoreBusyError, StoreTimeoutError].some(
    (each) => failure instanceof each,
  );
}
