import {
  Client,
  Pool,
  types as postgresTypes,
  type ClientBase,
  type ClientConfig,
  type CustomTypesConfig,
} from "pg";
import type { Awaitable } from "../../awaitable.ts";
import { StoreError, StoreUnavailableError } from "../errors.ts";
import type { Connection, Database } from "./dialect.ts";
import { PostgresConnection } from "./postgres-connection.ts";
import { postgresDialect, serverRole } from "./postgres-dialect.ts";
import { postgresFailure } from "./postgres-errors.ts";
import { checkOut } from "./postgres-pool.ts";
import { TenantQueues } from "./tenant-queues.ts";

/** Lock number for all processes that change tables: "sp" and a version. */
const migrationLock = 0x7370_0001;
const connectionMilliseconds = 10_000;

const types: CustomTypesConfig = {
  getTypeParser: ((id: number, format?: "text" | "binary") =>
    id === postgresTypes.builtins.INT8
      ? Number
      : postgresTypes.getTypeParser(id, format ?? "text")) as typeof postgresTypes.getTypeParser,
};

export interface PostgresOptions {
  /** Number of connections for reads, and the same number for transactions. Default 10. */
  readonly poolSize?: number;
  /** Called when an idle connection breaks. */
  readonly onIdleError?: (error: unknown) => void;
}

/** Connects at first use. Throws `StoreError` if the server cannot be reached or refuses the connection. */
export function openPostgres(url: string, options: PostgresOptions = {}): Database {
  const config: ClientConfig = {
    connectionString: url,
    types,
    pipeline: true,
    connectionTimeoutMillis: connectionMilliseconds,
    application_name: "security-platform",
  };
  // There are two pools, so that transactions which wait for a read cannot take all connections.
  const readers = openPool(config, options);
  const writers = openPool(config, options);
  const read = <Result>(
    cids: readonly string[] | null,
    work: (connection: Connection) => Awaitable<Result>,
  ): Promise<Result> =>
    checkOut(readers, async (connection) => {
      if (cids === null) return work(connection);
      // Both statements need one round trip, because the connection answers in order.
      const [, result] = await Promise.all([connection.see(cids), work(connection)]);
      return result;
    });
  const queues = new TenantQueues(writers);
  return {
    dialect: postgresDialect,
    read,
    readNow: read,
    write: (cid, work, ahead = null) =>
      cid === null
        ? checkOut(writers, (connection) => connection.transaction(null, work))
        : queues.transact(cid, work, ahead),
    own: (work) => asOwner(config, work),
    version: () => null,
    close: async () => {
      await queues.idle();
      await Promise.all([readers.end(), writers.end()]);
    },
  };
}

function openPool(config: ClientConfig, options: PostgresOptions): Pool {
  const pool = new Pool({
    ...config,
    max: options.poolSize ?? 10,
    onConnect: takeServerRole,
  });
  pool.on("error", (error) => options.onIdleError?.(postgresFailure(error)));
  return pool;
}

async function takeServerRole(client: ClientBase): Promise<void> {
  try {
    await client.query(`set role ${serverRole}`);
  } catch (error) {
    const failure = postgresFailure(error);
    if (failure instanceof StoreUnavailableError) throw failure;
    throw new StoreError(
      `PostgreSQL: the login cannot work under the role ${serverRole}; let an administrator run: ` +
        `grant ${serverRole} to <login>`,
      { cause: error },
    );
  }
}

async function asOwner<Result>(
  config: ClientConfig,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const client = new Client(config);
  const connection = new PostgresConnection(client);
  try {
    await client.connect();
  } catch (error) {
    throw postgresFailure(error);
  }
  try {
    return await connection.transaction(null, async () => {
      await connection.run(`select pg_advisory_xact_lock(${migrationLock})`);
      return work(connection);
    });
  } finally {
    await client.end();
  }
}
