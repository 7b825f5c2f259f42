import type { DatabaseLimits } from "./dialects/database-limits.ts";
import type { Connection } from "./dialects/dialect.ts";
import { sql } from "./dialects/sql.ts";
import { openDatabase } from "./open-database.ts";
import { layoutOf } from "./rows/columns.ts";
import { fillRows } from "./schema/fill.ts";
import { migrate, newestMigration } from "./schema/migrate.ts";
import { prepareTables, readSchema } from "./schema/schema.ts";
import { StoreError } from "./types/errors.ts";
import type { Resource } from "./types/types.ts";

/** Loads the engine. */
export const sqliteCopies = () => import("./dialects/sqlite-node/copy-sqlite.ts");

/** The tables that are not derived from resources, in an order in which rows refer to earlier ones. */
const fixedTables = [
  "settings",
  "tenants",
  "api_clients",
  "client_secrets",
  "access_tokens",
  "audit_entries",
  "write_numbers",
  "write_times",
  "resource_layouts",
  "record_revisions",
  "jobs",
  "schedules",
  "keyed_requests",
  "schema_migrations",
] as const;

/** Rows of a table, as lines of JSON. `isLast`: no rows of the table follow. */
export interface TableRows {
  readonly table: string;
  readonly lines: readonly string[];
}

/** All rows of the platform's tables in a PostgreSQL database, as of one instant. */
export async function* dumpTables(
  url: string,
  resources: readonly Resource[],
  limits: DatabaseLimits,
): AsyncGenerator<TableRows> {
  const { dumpPostgres } = await import("./dialects/postgres/dump-postgres.ts");
  yield* dumpPostgres(
    url,
    (existing) => {
      if (!existing.has("schema_migrations"))
        throw new StoreError("the database has no tables of the platform");
      return tablesFor(resources).filter((name) => existing.has(name));
    },
    limits,
  );
}

const tablesFor = (resources: readonly Resource[]): readonly string[] => [
  ...fixedTables,
  ...resources.flatMap((resource) => {
    const { table, valuesTable, wordsTable } = layoutOf(resource);
    return [table, valuesTable, ...(wordsTable === null ? [] : [wordsTable])];
  }),
];

/** These describe the tables that the restoring version creates. */
const ofVersion: ReadonlySet<string> = new Set(["schema_migrations", "resource_layouts"]);

export interface RestoreTables {
  readonly url: string;
  readonly limits: DatabaseLimits;
  readonly resources: readonly Resource[];
  readonly now: Date;
  /** Whether to replace the tables of a platform. Otherwise they are an error. */
  readonly replace: boolean;
  readonly rows: AsyncIterable<TableRows>;
}

/**
 * Creates the tables in a PostgreSQL database and fills them, in one transaction: if anything fails, the database is
 * unchanged. Throws `StoreError` if a server has connections to it.
 */
export async function restoreTables(parts: RestoreTables): Promise<void> {
  const { url, limits, resources, now, replace, rows } = parts;
  const database = await openDatabase({ url, databaseLimits: limits });
  try {
    await database.asOwner(async (connection) => {
      await refuseOtherServers(connection);
      const existing = await existingTables(connection, resources);
      if (existing.length > 0 && !replace) throw new StoreError(notEmpty);
      await dropTables(connection, existing, resources);
      await migrate(connection, now);
      const schema = await readSchema(connection, resources);
      for (const resource of resources) await prepareTables(connection, resource, schema, now);
      await connection.run("delete from write_numbers");
      const layouts = await insertRows(connection, resources, rows);
      await fillChanged(connection, resources, layouts);
      await continueNumbers(connection);
      await connection.run(connection.dialect.admit);
    });
    await database.check();
    await database.analyze();
  } finally {
    await database.close();
  }
}

/** What a restore says of a database that has records. */
export const notEmpty =
  "the database is not empty; choose an empty one, or add --replace to replace all that it has";

async function refuseOtherServers(connection: Connection): Promise<void> {
  const [others] = await connection.all(
    sql<{ count: number }>`select count(*) as count from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and application_name = 'security-platform'`,
  );
  if (Number(others?.count) === 0) return;
  throw new StoreError("a server or another command uses the database; stop it first");
}

async function existingTables(
  connection: Connection,
  resources: readonly Resource[],
): Promise<readonly string[]> {
  const names = tablesFor(resources);
  const existing = await connection.dialect.columnsOf(connection, names);
  return names.filter((name) => existing.has(name));
}

async function dropTables(
  connection: Connection,
  existing: readonly string[],
  resources: readonly Resource[],
): Promise<void> {
  if (existing.length === 0) return;
  if (!existing.includes("schema_migrations")) {
    throw new StoreError(
      `this database holds a table "${existing[0]}" of another program; choose an empty or new database`,
    );
  }
  const words = new Set(resources.flatMap((resource) => layoutOf(resource).wordsTable ?? []));
  const { dropWords } = connection.dialect;
  await connection.run(
    existing
      .map((name) => (words.has(name) ? dropWords(name) : `drop table "${name}" cascade;`))
      .join("\n"),
  );
}

/** Returns the layouts that the tables of the rows had, by their names. */
async function insertRows(
  connection: Connection,
  resources: readonly Resource[],
  rows: AsyncIterable<TableRows>,
): Promise<ReadonlyMap<string, string>> {
  const names = tablesFor(resources);
  const columns = await connection.dialect.columnsOf(connection, names);
  const layouts = new Map<string, string>();
  for await (const { table, lines } of rows) {
    const own = columns.get(table);
    if (own === undefined) {
      throw new StoreError(
        `the backup has a table "${table}" that this version does not know; use the newer version`,
      );
    }
    if (table === "resource_layouts") {
      for (const line of lines) {
        const { resource, layout } = JSON.parse(line) as { resource: string; layout: string };
        layouts.set(resource, layout);
      }
    }
    if (ofVersion.has(table) || lines.length === 0) continue;
    const given = Object.keys(JSON.parse(lines[0] ?? "{}") as object).filter((name) =>
      own.has(name),
    );
    const list = sql.join(given.map((name) => sql.id(name)));
    await connection.send(sql`insert into ${sql.id(table)} (${list})
      select ${list} from json_populate_recordset(null::${sql.id(table)}, ${`[${lines.join(",")}]`}::json)`);
    await connection.settle();
  }
  return layouts;
}

/** Fills the derived columns of tables that another version has filled differently. */
async function fillChanged(
  connection: Connection,
  resources: readonly Resource[],
  layouts: ReadonlyMap<string, string>,
): Promise<void> {
  const current = await connection.all(
    sql<{ resource: string; layout: string }>`select resource, layout from resource_layouts`,
  );
  const now = new Map(current.map(({ resource, layout }) => [resource, fillingOf(layout)]));
  for (const resource of resources) {
    const { table } = layoutOf(resource);
    const before = layouts.get(table);
    if (before === undefined || fillingOf(before) === now.get(table)) continue;
    await fillRows(connection, resource);
  }
}

const fillingOf = (layout: string): unknown => (JSON.parse(layout) as { filling: unknown }).filling;

/** The next numbers that the database assigns come after those of the rows. */
async function continueNumbers(connection: Connection): Promise<void> {
  const columns = await connection.all(
    sql<{ table: string; column: string }>`select table_name as "table", column_name as "column"
      from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'`,
  );
  for (const { table, column } of columns) {
    await connection.all(sql`select setval(pg_get_serial_sequence(${table}, ${column}),
      (select coalesce(max(${sql.id(column)}), 0) + 1 from ${sql.id(table)}), false)`);
  }
}

/** Throws `StoreError` for a schema that this version does not know. */
export function refuseNewerSchema(schema: number): void {
  if (schema <= newestMigration) return;
  throw new StoreError(
    `the backup has schema ${schema}, and this version knows schemas up to ${newestMigration}; use the newer version`,
  );
}
