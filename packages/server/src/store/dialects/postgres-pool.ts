import { Pool, type ClientBase, type ClientConfig, type PoolClient } from "pg";
import { StoreError } from "../errors.ts";
import { PostgresConnection, type ConnectionSettings } from "./postgres-connection.ts";
import { serverRole } from "./postgres-dialect.ts";
import { postgresFailure } from "./postgres-errors.ts";

const connections = new WeakMap<ClientBase, PostgresConnection>();

export interface PoolSettings extends ConnectionSettings {
  /** Maximum number of connections. */
  readonly size: number;
  /** Called when an idle connection breaks. */
  readonly onIdleError: (error: unknown) => void;
}

export interface PostgresPool extends Pool {
  /** Waits for connections in use. Leaves a server that does not close its connections after this time. */
  close(milliseconds: number): Promise<void>;
}

export function openPool(config: ClientConfig, settings: PoolSettings): PostgresPool {
  const open = new Set<PostgresConnection>();
  const pool = new Pool({
    ...config,
    max: settings.size,
    onConnect: async (client) => {
      const connection = new PostgresConnection(client, settings);
      connections.set(client, connection);
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

/** A pooled connection that is checked out for one piece of work. */
export interface CheckedOut {
  readonly connection: PostgresConnection;
  release(): void;
}

/** Throws `StoreError` when the server cannot be reached. */
export async function takeFrom(pool: Pool): Promise<CheckedOut> {
  let client: PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    throw postgresFailure(error);
  }
  const connection = connections.get(client);
  if (connection === undefined) throw new Error("the pool prepares every connection");
  return { connection, release: () => client.release(connection.spent) };
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
