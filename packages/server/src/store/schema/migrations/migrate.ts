import type { Connection } from "../../dialects/dialect.ts";
import { StoreError } from "../../types/errors.ts";
import { rowsOf } from "../../statements/statements.ts";
import { directory } from "./0001-directory.ts";
import { platform } from "./0002-platform.ts";
import { jobs } from "./0003-jobs.ts";
import { auditClients } from "./0004-audit-clients.ts";
import { purgeInstants } from "./0005-purge-instants.ts";
import { signingKeySettings } from "./0006-signing-keys.ts";
import { recordRevisions } from "./0007-record-revisions.ts";
import { keyedRequests } from "./0008-keyed-requests.ts";
import type { Migration } from "./migration.ts";

const migrations: readonly Migration[] = [
  directory,
  platform,
  jobs,
  auditClients,
  purgeInstants,
  signingKeySettings,
  recordRevisions,
  keyedRequests,
];
const newest = migrations.at(-1)?.number ?? 0;

/**
 * Updates the fixed schema inside the owner's transaction. Returns true if it changed. Throws `StoreError`
 * for a database that a newer version wrote, or that contains other tables.
 */
export async function migrate(connection: Connection, now: Date): Promise<boolean> {
  const { dialect } = connection;
  const applied = await appliedMigrations(connection);
  if (applied > newest) {
    throw new StoreError(
      `this database has schema ${applied}, and this version knows schemas up to ${newest}; ` +
        "run the newer version, or choose another database",
    );
  }
  for (const { number, name, up } of migrations.slice(applied)) {
    await up(connection, dialect);
    await rowsOf(
      connection,
      dialect.builder
        .insertInto("schema_migrations")
        .values({ number, name, applied_at: now.toISOString() }),
    );
  }
  return applied < newest;
}

/** Whether the database has the fixed schema of this version or a newer one. */
export async function isMigrated(connection: Connection): Promise<boolean> {
  const { dialect } = connection;
  const tables = await dialect.columnsOf(connection, ["schema_migrations"]);
  return tables.size > 0 && (await lastMigration(connection)) >= newest;
}

/** The number of the last step taken; 0 in an empty database. */
async function appliedMigrations(connection: Connection): Promise<number> {
  const { dialect } = connection;
  const tables = await dialect.columnsOf(connection, ["schema_migrations"]);
  if (tables.size === 0) {
    await refuseForeignTables(connection);
    const { text, integer } = dialect.types;
    await connection.run(
      `create table schema_migrations (number ${integer} primary key, name ${text} not null, applied_at ${text} not null) ${dialect.tableOptions.plain}`,
    );
    return 0;
  }
  return lastMigration(connection);
}

async function lastMigration(connection: Connection): Promise<number> {
  const { builder } = connection.dialect;
  const { max } = builder.fn;
  const [row] = await rowsOf(
    connection,
    builder.selectFrom("schema_migrations").select(max("number").as("number")),
  );
  return row?.number ?? 0;
}

/** A mistyped path or URL must not add our tables to the database of another program. */
async function refuseForeignTables(connection: Connection): Promise<void> {
  const names = ["settings", "tenants", "api_clients", "access_tokens", "jobs"];
  const existing = await connection.dialect.columnsOf(connection, names);
  for (const table of existing.keys()) {
    throw new StoreError(
      `this database holds a table "${table}" of another program; choose an empty or new database`,
    );
  }
}
