import { Pool, type ClientBase, type ClientConfig, type PoolClient } from "pg";
import { StoreError } from "../../types/errors.ts";
import { PostgresConnection, type ConnectionSettings } from "./postgres-connection.ts";
import { serverRole } from "./postgres-dialect.ts";
import { PostgresClient } from "./postgres-client.ts";
import { postgresFailure } from "./postgres-errors.ts";

/**
 * After a failover, the address of the database leads to another server, but open connections stay with the old
 * one. So when a connection turns out to be read-only, all connections of its generation are replaced.
 */
interface Generation {
  number: number;
}

interface Opened {
  readonly connection: PostgresConnection;
  readonly generation: Generation;
  readonly born: number;
}

const connections = new WeakMap<ClientBase, Opened>();

export interface PoolSettings extends ConnectionSettings {
  /** Maximum number of connections. */
  readonly size: number;
  /** The generation of connections, which pools to the same server share. */
  readonly generation: Generation;
  /** Called when an idle connection breaks. */
  readonly onIdleError: (error: unknown) => void;
}

export interface PostgresPool extends Pool {
  /** Waits for connections in use. Leaves a server that does not close its connections after this time. */
  close(milliseconds: number): Promise<void>;
  /** Ends all connections. What they do fails with this reason. */
  cut(reason: string): void;
}

export function openPool(config: ClientConfig, settings: PoolSettings): PostgresPool {
  const open = new Set<PostgresConnection>();
  const pool = new Pool({
    ...config,
    Client: PostgresClient,
    max: settings.size,
    // An idle server keeps a connection: a restore recognizes running servers by their connections.
    min: 1,
    onConnect: async (client) => {
      const connection = new PostgresConnection(client, settings);
      const { generation } = settings;
      connections.set(client, { connection, generation, born: generation.number });
      open.add(connection);
      client.once("end", () => open.delete(connection));
      await prepare(connection);
    },
  });
  pool.on("error", (error) => settings.onIdleError(postgresFailure(error)));
  return Object.assign(pool, {
    close: async (milliseconds: number) => {
      for (const connection of open) connection.abandonAfter(milliseconds);
      await pool.end();
    },
    cut: (reason: string) => {
      for (const connection of open) connection.cut(reason);
    },
  });
}

async function prepare(connection: PostgresConnection): Promise<void> {
  try {
    await connection.prepare();
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(
      `PostgreSQL: the login cannot work under the role ${serverRole}; let an administrator run: ` +
        `grant ${serverRole} to <login>`,
      { cause: error },
    );
  }
}

export const loadOf = ({ totalCount, idleCount }: Pick<Pool, "totalCount" | "idleCount">) => ({
  inUse: totalCount - idleCount,
  idle: idleCount,
});

/** A pooled connection that is checked out for one piece of work. */
export interface CheckedOut {
  readonly connection: PostgresConnection;
  release(): void;
}

const isOutdated = ({ generation, born }: Opened): boolean => born < generation.number;

/** Throws `StoreError` when the server cannot be reached. */
export async function takeFrom(pool: Pool): Promise<CheckedOut> {
  let client: PoolClient;
  let opened: Opened;
  do {
    try {
      client = await pool.connect();
    } catch (error) {
      throw postgresFailure(error);
    }
    const prepared = connections.get(client);
    if (prepared === undefined) throw new Error("the pool prepares every connection");
    opened = prepared;
    if (isOutdated(opened)) client.release(true);
  } while (isOutdated(opened));
  const { connection, generation } = opened;
  const release = (): void => {
    if (connection.isReadOnly && !isOutdated(opened)) generation.number += 1;
    client.release(connection.isUnusable || isOutdated(opened));
  };
  return { connection, release };
}

export async function checkOut<Result>(
  pool: Pool,
  work: (connection: PostgresConnection) => Promise<Result>,
): Promise<Result> {
  const { connection, release } = await takeFrom(pool);
  try {
    return await work(connection);
  } finally {
    release();
  }
}
