import type { DatabaseLimits } from "./dialects/database-limits.ts";
import { namesByTable, type Connection, type NamesByTable } from "./dialects/dialect.ts";
import { mayReplace, requireOwn } from "./dialects/foreign-tables.ts";
import { sql } from "./dialects/sql.ts";
import type { TableQueries, TableQuery, TableRows } from "./dialects/dump.ts";
import { openDatabase } from "./open-database.ts";
import { layoutOf } from "./rows/columns.ts";
import { fillRows, insertVersions, versionColumns, type StoredVersion } from "./schema/fill.ts";
import { migrate, newestMigration } from "./schema/migrate.ts";
import { prepareTables, readSchema } from "./schema/schema.ts";
import { keysSetting, type KeyState } from "./secrets/sealer.ts";
import { StoreError, UnknownRowsError } from "./types/errors.ts";
import type { Resource } from "./types/types.ts";

export type { TableRows } from "./dialects/dump.ts";

/** Loads the engine. */
export const sqliteCopies = () => import("./dialects/sqlite-node/copy-sqlite.ts");

/**
 * The tables that are not derived from resources with their keys, in an order in which rows refer to earlier ones.
 */
const fixedTables: Readonly<Record<string, readonly string[]>> = {
  settings: ["name"],
  tenants: ["cid"],
  api_clients: ["client_id"],
  client_secrets: ["client_id", "number"],
  access_tokens: ["hash"],
  audit_entries: ["cid", "number"],
  write_numbers: ["cid", "resource"],
  write_times: ["cid", "number"],
  resource_layouts: ["resource"],
  record_revisions: ["resource"],
  jobs: ["id"],
  schedules: ["kind"],
  keyed_requests: ["hash"],
  schema_migrations: ["number"],
};

/** Their rows are of no use later, and are not copied. */
const passingTables = ["limit_counts"] as const;

/** All rows of the platform's tables in a PostgreSQL database, as of one instant. */
export async function* dumpTables(
  url: string,
  resources: readonly Resource[],
  limits: DatabaseLimits,
): AsyncGenerator<TableRows> {
  const { dumpPostgres } = await import("./dialects/postgres/dump-postgres.ts");
  const queriesOf: TableQueries = (columns) => {
    requireOwn(columns);
    return tablesFor(resources)
      .filter((table) => columns.has(table))
      .map((table) => ({ table, select: `select * from "${table}"` }));
  };
  yield* dumpPostgres(url, queriesOf, limits);
}

/** The content of a database of either engine. */
export interface Content {
  /** The number of its fixed schema. */
  readonly schema: number;
  /** In the order of their keys. The lines are the same for the same content on either engine. */
  readonly rows: AsyncIterable<TableRows>;
}

/**
 * All that cannot be derived from other columns, as of one instant. Throws `StoreError` for a schema that this version
 * does not know.
 */
export async function readContent(
  url: string,
  resources: readonly Resource[],
  limits: DatabaseLimits,
): Promise<Content> {
  const queriesOf: TableQueries = (columns) => {
    requireOwn(columns);
    return [
      { table: "schema_migrations", select: "select max(number) as number from schema_migrations" },
      ...contentQueries(columns, resources),
    ];
  };
  const dumped = await dump(url, queriesOf, limits);
  const { value } = await dumped.next();
  const [line = "{}"] = (value as TableRows | undefined)?.lines ?? [];
  const { number: schema = 0 } = JSON.parse(line) as { number?: number };
  try {
    refuseNewerSchema(schema, "database");
  } catch (error) {
    await dumped.return(undefined);
    throw error;
  }
  return { schema, rows: sameText(dumped) };
}

/** The ids of the keys that the secrets in a database need. */
export async function neededKeys(url: string, limits: DatabaseLimits): Promise<readonly string[]> {
  const table = "settings";
  const select = `select value from ${table} where name = '${keysSetting}'`;
  const ids: string[] = [];
  // Early schemas had no such table.
  const queries: TableQueries = (tables) => (tables.has(table) ? [{ table, select }] : []);
  for await (const { lines } of await dump(url, queries, limits)) {
    for (const line of lines) {
      const { value } = JSON.parse(line) as { readonly value: string };
      ids.push(...Object.keys((JSON.parse(value) as KeyState).canaries));
    }
  }
  return ids;
}

async function dump(
  url: string,
  queriesOf: TableQueries,
  limits: DatabaseLimits,
): Promise<AsyncGenerator<TableRows> | Generator<TableRows>> {
  if (url.startsWith("sqlite:")) {
    const { dumpSqlite } = await sqliteCopies();
    return dumpSqlite(url.slice("sqlite:".length), queriesOf);
  }
  const { dumpPostgres } = await import("./dialects/postgres/dump-postgres.ts");
  return dumpPostgres(url, queriesOf, limits);
}

/** The engines write the same value in different texts of JSON. */
async function* sameText(
  dumped: AsyncIterable<TableRows> | Iterable<TableRows>,
): AsyncGenerator<TableRows> {
  for await (const { table, lines } of dumped) {
    yield { table, lines: lines.map((line) => JSON.stringify(JSON.parse(line))) };
  }
}

function contentQueries(
  existing: NamesByTable,
  resources: readonly Resource[],
): readonly TableQuery[] {
  const query = (table: string, names: Iterable<string>, keys: readonly string[]): TableQuery => ({
    table,
    select: `select ${quotedList([...names])} from "${table}" order by ${quotedList(keys)}`,
  });
  const queries: TableQuery[] = [];
  for (const [table, keys] of Object.entries(fixedTables)) {
    const names = existing.get(table);
    if (names === undefined || ofVersion.has(table)) continue;
    queries.push(query(table, [...names].toSorted(), keys));
  }
  for (const resource of resources) {
    const { table } = layoutOf(resource);
    const names = existing.get(table);
    if (names === undefined) continue;
    const stored = versionColumns(resource).filter((name) => names.has(name));
    queries.push(query(table, stored, ["cid", "row", "valid_from"]));
  }
  return queries;
}

const quotedList = (names: readonly string[]): string =>
  names.map((name) => `"${name}"`).join(", ");

const tablesFor = (resources: readonly Resource[]): readonly string[] => [
  ...Object.keys(fixedTables),
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
  /** Whether the rows are those of `readContent`. Otherwise they are those of `dumpTables`. */
  readonly areContent: boolean;
}

/**
 * Creates the tables in a database and fills them, in one transaction: if anything fails, the database is
 * unchanged. Throws `StoreError` if a server has connections to it.
 */
export async function restoreTables(parts: RestoreTables): Promise<void> {
  const { url, limits, resources, now, replace } = parts;
  const database = await openDatabase({ url, databaseLimits: limits });
  try {
    await database.asOwner(async (connection) => {
      const isPostgres = connection.dialect.engine === "postgres";
      mayReplace(namesByTable(await connection.all(connection.dialect.everyTable)));
      if (isPostgres) await refuseOtherServers(connection);
      const existing = await existingTables(connection, resources);
      if (existing.length > 0 && !replace) throw new StoreError(notEmpty);
      await dropTables(connection, existing, resources);
      await migrate(connection, now);
      const schema = await readSchema(connection, resources);
      const version = { now, schema: newestMigration };
      for (const resource of resources) await prepareTables(connection, resource, schema, version);
      await connection.run("delete from write_numbers");
      const layouts = await insertRows(connection, parts);
      await fillChanged(connection, resources, layouts);
      if (isPostgres) await continueNumbers(connection);
      await connection.run(connection.dialect.admit);
    });
    await database.distribute?.();
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
  const names = [...tablesFor(resources), ...passingTables];
  const existing = await connection.dialect.columnsOf(connection, names);
  return names.filter((name) => existing.has(name));
}

async function dropTables(
  connection: Connection,
  existing: readonly string[],
  resources: readonly Resource[],
): Promise<void> {
  if (existing.length === 0) return;
  const wordsTables = resources.flatMap((resource) => layoutOf(resource).wordsTable ?? []);
  const words = wordsTables.filter((table) => existing.includes(table));
  // `schema_migrations` shows that the database is one of the platform, also beside tables of another program.
  const others = existing.filter(
    (table) => table !== "schema_migrations" && !words.includes(table),
  );
  // Without `cascade`, which would also drop the views of others. Tables of one statement may refer to each other.
  await connection.run(
    [
      ...words.map(connection.dialect.dropWords),
      ...(others.length > 0 ? [`drop table ${quotedList(others)};`] : []),
      ...(existing.includes("schema_migrations") ? ["delete from schema_migrations;"] : []),
    ].join("\n"),
  );
}

/** Returns the layouts that the tables of the rows had, by their names. */
async function insertRows(
  connection: Connection,
  { resources, rows, areContent }: RestoreTables,
): Promise<ReadonlyMap<string, string>> {
  const columns = await connection.dialect.columnsOf(connection, tablesFor(resources));
  const ofTable = new Map(resources.map((resource) => [layoutOf(resource).table, resource]));
  const layouts = new Map<string, string>();
  for await (const { table, lines } of rows) {
    const own = columns.get(table);
    if (own === undefined) {
      throw new UnknownRowsError(
        `the ${areContent ? "snapshot" : "backup"} has a table "${table}" that this version does not know; use the newer version`,
      );
    }
    if (table === "resource_layouts") {
      for (const line of lines) {
        const { resource, layout } = JSON.parse(line) as { resource: string; layout: string };
        layouts.set(resource, layout);
      }
    }
    if (ofVersion.has(table) || lines.length === 0) continue;
    const resource = areContent ? ofTable.get(table) : undefined;
    if (resource === undefined) {
      const given = Object.keys(JSON.parse(lines[0] ?? "{}") as object);
      const names = given.filter((name) => own.has(name));
      const list = sql.join(names.map((name) => sql.id(name)));
      const values = connection.dialect.rowsOfJson(table, names, `[${lines.join(",")}]`);
      await connection.send(sql`insert into ${sql.id(table)} (${list}) ${values}`);
    } else {
      const versions = lines.map((line) => JSON.parse(line) as StoredVersion);
      await insertVersions(connection, resource, versions);
    }
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

/** Throws `StoreError` for a schema that this version does not know. `kind`: what has the schema. */
export function refuseNewerSchema(schema: number, kind = "backup"): void {
  if (schema <= newestMigration) return;
  throw new (kind === "database" ? StoreError : UnknownRowsError)(
    `the ${kind} has schema ${schema}, and this version knows schemas up to ${newestMigration}; use the newer version`,
  );
}
