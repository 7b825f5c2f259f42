import { Client } from "pg";
import { defaultDatabaseLimits, type DatabaseLimits } from "../database-limits.ts";
import { postgresFailure } from "./postgres-errors.ts";

/** Some rows of a table, as lines of JSON. */
export interface DumpedRows {
  readonly table: string;
  readonly lines: readonly string[];
}

const rowsAtOnce = 200;

/**
 * The rows of tables as of one instant, while others read and write. Reads as the login, which owns the tables and so sees
 * all tenants.
 */
export async function* dumpPostgres(
  url: string,
  tablesOf: (names: ReadonlySet<string>) => readonly string[],
  { connectMilliseconds }: DatabaseLimits = {},
): AsyncGenerator<DumpedRows> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: connectMilliseconds ?? defaultDatabaseLimits.connectMilliseconds,
    application_name: "security-platform backup",
  });
  // The running query fails with the same error.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("begin isolation level repeatable read, read only");
    const { rows: names } = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = current_schema()",
    );
    for (const table of tablesOf(new Set(names.map(({ name }) => name)))) {
      yield* rowsOf(client, table);
    }
    await client.query("commit");
  } catch (error) {
    throw postgresFailure(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function* rowsOf(client: Client, table: string): AsyncGenerator<DumpedRows> {
  const name = client.escapeIdentifier(table);
  await client.query(
    `declare dumped no scroll cursor for select to_json(dumped)::text as line from ${name} as dumped`,
  );
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${rowsAtOnce} from dumped`);
    yield { table, lines: rows.map(({ line }) => line) };
    if (rows.length < rowsAtOnce) break;
  }
  await client.query("close dumped");
}
