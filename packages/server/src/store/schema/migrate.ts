import type { Connection } from "../dialects/dialect.ts";
import { StoreError } from "../types/errors.ts";
import { sql } from "../dialects/sql.ts";
import { createInitialSchema } from "./initial-schema.ts";

/** One step of the fixed schema. Never edit a step that was released. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly up: (connection: Connection) => Promise<void>;
}

/** In ascending order of their numbers. Databases with an earlier number than the first one were never released. */
export const migrations: readonly Migration[] = [
  { number: 8, name: "initial", up: createInitialSchema },
];

const newestOf = (steps: readonly Migration[]): number => steps.at(-1)?.number ?? 0;

export const newestMigration = newestOf(migrations);

/**
 * Updates the fixed schema inside the owner's transaction. Returns true if it changed. Throws `StoreError` for a
 * database with a schema that this version does not know, or with other tables.
 */
export async function migrate(
  connection: Connection,
  now: Date,
  steps = migrations,
): Promise<boolean> {
  const applied = await appliedMigration(connection);
  const [first = 0, newest] = [steps[0]?.number, newestOf(steps)];
  if (applied > newest) {
    throw new StoreError(
      `this database has schema ${applied}, and this version knows schemas up to ${newest}; ` +
        "run the newer version, or choose another database",
    );
  }
  if (applied > 0 && applied < first) {
    throw new StoreError(
      `this database has schema ${applied} of a version before the first release, which cannot be migrated; ` +
        "choose another database",
    );
  }
  for (const { number, name, up } of steps.filter((step) => step.number > applied)) {
    await up(connection);
    await connection.send(sql`
      insert into schema_migrations (number, name, applied_at)
      values (${number}, ${name}, ${now.toISOString()})`);
  }
  return applied < newest;
}

/** Whether the database has the fixed schema of this version or a newer one. */
export async function isMigrated(connection: Connection): Promise<boolean> {
  const tables = await connection.dialect.columnsOf(connection, ["schema_migrations"]);
  return tables.size > 0 && (await lastMigration(connection)) >= newestOf(migrations);
}

/** The number of the last step; 0 in an empty database. */
async function appliedMigration(connection: Connection): Promise<number> {
  const { dialect } = connection;
  const tables = await dialect.columnsOf(connection, ["schema_migrations"]);
  if (tables.size > 0) return lastMigration(connection);
  await refuseForeignTables(connection);
  const { text, integer } = dialect.types;
  await connection.run(
    `create table schema_migrations (number ${integer} primary key, name ${text} not null, applied_at ${text} not null) ${dialect.tableOptions.plain}`,
  );
  return 0;
}

async function lastMigration(connection: Connection): Promise<number> {
  const [row] = await connection.all(
    sql<{ number: number | null }>`select max(number) as number from schema_migrations`,
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
