import type { Client } from "pg";
import { defaultDatabaseLimits, type DatabaseLimits } from "../database-limits.ts";
import { namesByTable } from "../dialect.ts";
import type { TableQueries, TableQuery, TableRows } from "../dump.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { postgresFailure } from "./postgres-errors.ts";
import { connectionConfig, PostgresClient } from "./postgres-client.ts";

const rowsAtOnce = 200;

/**
 * The rows of tables as of one instant, while others read and write. Reads as the login, which owns the tables and so sees
 * all tenants.
 */
export async function* dumpPostgres(
  url: string,
  queriesOf: TableQueries,
  { connectMilliseconds }: DatabaseLimits = {},
): AsyncGenerator<TableRows> {
  const client = new PostgresClient({
    ...connectionConfig(url),
    connectionTimeoutMillis: connectMilliseconds ?? defaultDatabaseLimits.connectMilliseconds,
    application_name: "security-platform backup",
  });
  // It says why a connection was cut between two queries; the next query only fails.
  let cut: Error | null = null;
  client.on("error", (error) => {
    cut ??= error;
  });
  try {
    await client.connect();
    for (const query of await lockTables(client, queriesOf)) yield* rowsOf(client, query);
    await client.query("commit");
  } catch (error) {
    throw postgresFailure(error, cut);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Begins a transaction that sees one instant, and returns what to read in it. The instant follows the locks: a table that
 * a restore or an upgrade replaces after the instant would seem to be empty.
 */
async function lockTables(client: Client, queriesOf: TableQueries): Promise<readonly TableQuery[]> {
  const queries = async (): Promise<readonly TableQuery[]> => {
    const { rows } = await client.query<{ table: string; name: string }>(
      postgresDialect.everyTable.text,
    );
    return queriesOf(namesByTable(rows));
  };
  const tablesOf = (found: readonly TableQuery[]): string =>
    [...new Set(found.map(({ table }) => `"${table}"`))].join(", ");
  for (;;) {
    const tables = tablesOf(await queries());
    // Without row-level security, a login that it restricts fails; otherwise it would read tables as if they were empty.
    await client.query(
      "begin isolation level repeatable read, read only; set local row_security = off",
    );
    if (tables !== "") await client.query(`lock table ${tables} in access share mode`);
    const locked = await queries();
    if (tablesOf(locked) === tables) return locked;
    await client.query("rollback");
  }
}

async function* rowsOf(client: Client, { table, select }: TableQuery): AsyncGenerator<TableRows> {
  await client.query(
    `declare dumped no scroll cursor for select to_json(dumped)::text as line from (${select}) as dumped`,
  );
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${rowsAtOnce} from dumped`);
    yield { table, lines: rows.map(({ line }) => line) };
    if (rows.length < rowsAtOnce) break;
  }
  await client.query("close dumped");
}
