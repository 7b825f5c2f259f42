import { setTimeout } from "node:timers/promises";
import { types as postgresTypes, type ClientConfig, type CustomTypesConfig } from "pg";
import type { Connection, Database } from "../dialect.ts";
import { checkPools } from "./check-postgres.ts";
import { distributeNext } from "./citus.ts";
import { PostgresConnection, type ConnectionSettings } from "./postgres-connection.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { postgresFailure } from "./postgres-errors.ts";
import { defaultDatabaseLimits, type DatabaseLimits } from "../database-limits.ts";
import { checkOut, loadOf, openPool } from "./postgres-pool.ts";
import { connectionConfig, PostgresClient } from "./postgres-client.ts";
import { readAs, ReadTurns } from "./postgres-reads.ts";
import { PostgresReplica } from "./postgres-replica.ts";
import { StoreBusyError, StoreError } from "../../types/errors.ts";
import type { ReplicaState } from "../../types/replica.ts";
import { TenantQueues } from "./tenant-queues.ts";
import { markColumns, type WriteMark } from "./write-marks.ts";

/** Lock number for all processes that change tables: "sp" and a version. */
const migrationLock = 0x7370_0001;
/** An idle connection over a dead network ends after about 40 seconds. */
const keepAliveMilliseconds = 30_000;

const types: CustomTypesConfig = {
  getTypeParser: ((id: number, format?: "text" | "binary") =>
    id === postgresTypes.builtins.INT8
      ? Number
      : postgresTypes.getTypeParser(id, format ?? "text")) as typeof postgresTypes.getTypeParser,
};

export interface PostgresOptions extends DatabaseLimits {
  /** Number of connections for reads, and the same number for transactions. Default 10. */
  readonly poolSize?: number;
  /** Called when an idle connection breaks. */
  readonly onIdleError?: (error: unknown) => void;
  /** Called when the check has found that a pooler mixes up prepared statements, so that none are used. */
  readonly onUnprepared?: () => void;
  /** A streaming replica for reads of requests that only read. Default: the database serves all of them. */
  readonly replicaUrl?: string | undefined;
  /** Called when such reads begin to go elsewhere. `reason`: why the replica is away. */
  readonly onReplicaChange?: (state: ReplicaState, reason: string | null) => void;
}

/** The log of the coordinator does not say what its nodes have. */
const noReplica =
  "PostgreSQL: a database with Citus has no replica for reads, because each node has a log of its own; " +
  "leave out --database-replica";

/** Connects at first use. Throws `StoreError` if the server cannot be reached or refuses the connection. */
export function openPostgres(url: string, options: PostgresOptions = {}): Database {
  const limits = { ...defaultDatabaseLimits, ...options };
  const { poolSize: size = 10, onIdleError = () => undefined, onUnprepared } = options;
  const { replicaUrl, onReplicaChange = () => undefined } = options;
  const config: ClientConfig = {
    ...connectionConfig(url),
    types,
    pipeline: true,
    connectionTimeoutMillis: limits.connectMilliseconds,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMilliseconds,
    application_name: "security-platform",
  };
  const { statementMilliseconds } = limits;
  const found: ConnectionSettings["found"] = { isCitus: null };
  const settings = {
    size,
    onIdleError,
    isPrepared: limits.prepare ?? true,
    found,
    statementMilliseconds,
    generation: { number: 0 },
  };
  // There are two pools, so that transactions which wait for a read cannot take all connections.
  const readers = openPool(config, settings);
  const writers = openPool(config, settings);
  const turns = new ReadTurns(readers, size, limits.connectMilliseconds);
  const replica =
    replicaUrl === undefined
      ? null
      : new PostgresReplica({
          config: { ...config, ...connectionConfig(replicaUrl) },
          settings: { size, isPrepared: limits.prepare ?? true, found, statementMilliseconds },
          connectMilliseconds: limits.connectMilliseconds,
          onChange: onReplicaChange,
        });
  const read = <Result>(
    cids: readonly string[],
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result> => turns.run(cids, (connection) => readAs(connection, cids, work));
  const queues = new TenantQueues(writers);
  return {
    dialect: postgresDialect,
    read:
      replica === null
        ? read
        : async (cids, work) => {
            const served = await replica.read(cids, work);
            return served === null ? read(cids, work) : served.result;
          },
    ...(replica === null
      ? {}
      : {
          replica: {
            markColumns,
            note: (cid: string, mark: WriteMark) => replica.marks.note(cid, mark),
            load: () => replica.load,
          },
        }),
    write: (cid, work) =>
      cid === null
        ? checkOut(writers, (connection) => connection.transaction(null, work))
        : queues.transact(cid, work),
    asOwner: (work, { yields = false } = {}) =>
      yields
        ? yieldingOwner(config, { ...limits, found }, work)
        : asOwner(config, { ...limits, found }, work),
    outside: (work) => ownerConnection(config, { ...limits, found }, work),
    distribute: async () => {
      if (!found.isCitus) return;
      while (await asOwner(config, { ...limits, found }, distributeNext));
    },
    check: async () => {
      const changed = await checkPools(readers, writers, settings, limits.prepare === undefined);
      if (changed) onUnprepared?.();
      if (replica !== null && found.isCitus) throw new StoreError(noReplica);
      await replica?.start((work) => checkOut(readers, work));
    },
    acceptsWrites: () => checkOut(readers, (connection) => connection.acceptsWrites()),
    load: () => [
      { pool: "read", ...loadOf(readers), waiting: readers.waitingCount + turns.waiting },
      // Transactions of a tenant wait for each other before they wait for a connection.
      { pool: "write", ...loadOf(writers), waiting: writers.waitingCount + queues.waiting },
      ...(replica === null ? [] : [replica.connections]),
    ],
    analyze: () => asOwner(config, { ...limits, found }, (connection) => connection.run("analyze")),
    version: () => null,
    close: async () => {
      await queues.idle();
      await Promise.all([
        readers.close(limits.connectMilliseconds),
        writers.close(limits.connectMilliseconds),
        replica?.close(limits.connectMilliseconds),
      ]);
    },
  };
}

type OwnerSettings = Required<Omit<DatabaseLimits, "prepare">> & Pick<ConnectionSettings, "found">;

/**
 * Changes of tables may take long, so only waiting for locks is limited. A statement ends as well if the engine
 * does not respond on another connection.
 */
function asOwner<Result>(
  config: ClientConfig,
  limits: OwnerSettings,
  work: (connection: Connection) => Promise<Result>,
  lockMilliseconds: number | null = null,
): Promise<Result> {
  const { statementMilliseconds } = limits;
  const seconds = statementMilliseconds / 1_000;
  return ownerConnection(config, limits, (connection) =>
    connection.transaction(null, async () => {
      await connection.run(`set local lock_timeout = ${statementMilliseconds}`);
      await connection
        .run(`select pg_advisory_xact_lock(${migrationLock})`)
        .catch(
          refuseLock(`another server or command has been changing the tables for ${seconds} s`),
        );
      if (lockMilliseconds !== null) {
        await connection.run(`set local lock_timeout = ${lockMilliseconds}`);
      }
      return work(connection).catch(
        refuseLock(`other transactions have kept a table locked for ${seconds} s`),
      );
    }),
  );
}

/**
 * Less than the time after which the engine looks for a deadlock (`deadlock_timeout`, one second). It would end the request
 * that waits for a changed table as often as the change.
 */
const briefWait = 500;
/** Meanwhile, requests that the change has kept waiting go on. */
const pauseMilliseconds = 100;

/** Begins anew while requests have locked a table that the work needs, until the time limit of statements. */
async function yieldingOwner<Result>(
  config: ClientConfig,
  limits: OwnerSettings,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const longest = limits.statementMilliseconds === 0 ? Infinity : limits.statementMilliseconds;
  const until = performance.now() + longest;
  for (;;) {
    try {
      return await asOwner(config, limits, work, Math.min(briefWait, longest));
    } catch (error) {
      if (!(error instanceof StoreBusyError) || performance.now() >= until) throw error;
      await setTimeout(pauseMilliseconds * (1 + Math.random()));
    }
  }
}

/** A new connection with the role of the login. */
async function ownerConnection<Result>(
  config: ClientConfig,
  { statementMilliseconds, found }: OwnerSettings,
  work: (connection: PostgresConnection) => Promise<Result>,
): Promise<Result> {
  const client = new PostgresClient(config);
  try {
    await client.connect();
  } catch (error) {
    throw postgresFailure(error);
  }
  const watch = { milliseconds: statementMilliseconds, isAlive: () => answers(config) };
  const settings = { isPrepared: false, found, statementMilliseconds: null, watch };
  const connection = new PostgresConnection(client, settings);
  connection.actAsLogin();
  try {
    await connection.recognise();
    return await work(connection);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Names the lock that a transaction of the owner did not get in time. */
const refuseLock =
  (reason: string) =>
  (error: unknown): never => {
    if (!(error instanceof StoreBusyError)) throw error;
    throw new StoreBusyError(
      `PostgreSQL: ${reason}; try again once they are done, or set a longer --statement-timeout`,
      { cause: error },
    );
  };

/** Whether the engine responds on a new connection. */
async function answers(config: ClientConfig): Promise<boolean> {
  const client = new PostgresClient(config);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
