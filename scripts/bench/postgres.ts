import { tmpdir } from "node:os";
import { Client } from "pg";
import {
  startPostgres,
  type PostgresServer,
} from "../../packages/server/tests/support/start-postgres.ts";

let server: Promise<PostgresServer> | undefined;

/** The URL of a new database on the bench's own PostgreSQL, whose commits wait for the disk. */
export async function newDatabase(name: string): Promise<string> {
  server ??= startPostgres(tmpdir(), ["max_connections=100"]);
  const { url } = await server;
  const client = await connected(url);
  await client.query(`create database "${name}"`);
  await client.end();
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

/** A connection with pipelined statements. */
export async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, pipeline: true });
  await client.connect();
  return client;
}

/** Stops the bench's PostgreSQL, if one was started. */
export async function stopPostgres(): Promise<void> {
  await (await server)?.stop();
}
