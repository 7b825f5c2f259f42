import type { ClientBase, Pool, PoolClient } from "pg";
import { PostgresConnection } from "./postgres-connection.ts";
import { postgresFailure } from "./postgres-errors.ts";

const connections = new WeakMap<ClientBase, PostgresConnection>();

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
  let connection = connections.get(client);
  if (connection === undefined) {
    connection = new PostgresConnection(client);
    connections.set(client, connection);
  }
  const taken = connection;
  return { connection: taken, release: () => client.release(taken.spent) };
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
