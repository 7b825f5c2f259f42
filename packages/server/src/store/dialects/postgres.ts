import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from "kysely";
import {
  Client,
  DatabaseError,
  escapeIdentifier,
  escapeLiteral,
  Pool,
  types as postgresTypes,
  type ClientBase,
  type ClientConfig,
  type CustomTypesConfig,
  type PoolClient,
  type QueryConfig,
  type QueryResult,
} from "pg";
import { StoreError } from "../errors.ts";
import { platformCid } from "../types.ts";
import type { Bindable, Column, Connection, Database, Dialect, InsertTarget } from "./dialect.ts";
import { postgresFailure } from "./postgres-errors.ts";

/** Owns nothing, so row-level security binds it; the server works under this role. */
export const serverRole = "security_platform";

/** One number for all processes that change tables: "sp" and a version. */
const migrationLock = 0x7370_0001;
const connectionMilliseconds = 10_000;
const statementsPerConnection = 1_000;

export const postgresDialect: Dialect = {
  engine: "postgres",
  builder: new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
  types: {
    text: 'text collate "C"',
    integer: "bigint",
    number: "double precision",
    boolean: "boolean",
  },
  tableOptions: { plain: "", clustered: "" },
  anyOf: (column, list, type) => sql`${column} = any(${list}::${sql.raw(arrayTypes[type])})`,
  elements: (list, type) => sql`unnest(${list}::${sql.raw(arrayTypes[type])}) as wanted(value)`,
  glob: (column, pattern) => sql`${column} like ${pattern}`,
  globPattern: (parts) => parts.map((part) => part.replaceAll(/[\\%_]/g, "\\$&")).join("%"),
  numberList: (column) => sql`string_agg(${column}::text, ',')`,
  contains: (column, needle) => sql`strpos(${column}, ${needle}) > 0`,
  boolean: (value) => (value ? sql`true` : sql`false`),
  // The sub-selects make the engine read a setting once a query, not once a row. The condition of
  // reads is none that an index could serve: the queries' own conditions are, and know their tenant.
  fence: (table) => `
    alter table "${table}" enable row level security;
    create policy tenant_reads on "${table}" for select
      using (strpos((select current_setting('app.cids', true)), cid) > 0);
    create policy tenant_inserts on "${table}" for insert
      with check (cid = (select current_setting('app.cid', true)));
    create policy tenant_updates on "${table}" for update
      using (cid = (select current_setting('app.cid', true)));
    create policy tenant_deletes on "${table}" for delete
      using (cid = (select current_setting('app.cid', true)));`,
  // A table's policy cannot ask the table itself, so the values ask the records, fenced in turn.
  admitAudience: (table, valuesTable) => `
    create policy audience_reads on "${table}" for select
      using (string_to_array(audience, ',')
        && (select string_to_array(current_setting('app.cids', true), ',')));
    create policy audience_reads on "${valuesTable}" for select
      using (exists (select from "${table}" as t where t.cid = "${valuesTable}".cid
        and t.row = "${valuesTable}".row and t.valid_from = "${valuesTable}".valid_from));`,
  // Transactions alone have an `app.cid`: whoever reads as the platform sees no tenant's trail.
  admitPlatform: (table) => `
    create policy platform_reads on "${table}" for select
      using ((select current_setting('app.cid', true)) = '${platformCid}');
    create policy platform_inserts on "${table}" for insert
      with check ((select current_setting('app.cid', true)) = '${platformCid}');`,
  assume: assumedStatistics,
  admit: `
    do $$ begin
      if not exists (select from pg_roles where rolname = '${serverRole}') then
        create role ${serverRole} nologin;
      end if;
    exception when duplicate_object or unique_violation then null;
    end $$;
    do $$ begin
      if not pg_has_role(current_user, '${serverRole}', 'member') then
        execute format('grant ${serverRole} to %I', current_user);
      end if;
      execute format('grant usage on schema %I to ${serverRole}', current_schema());
      execute format('grant select, insert, update, delete on all tables in schema %I to ${serverRole}', current_schema());
    end $$;
    revoke insert, update, delete on schema_migrations, resource_layouts from ${serverRole}`,
  columnsOf: async (connection, table) =>
    names(
      await connection.all(
        `select attname::text as name from pg_attribute
         where attrelid = to_regclass(quote_ident($1)) and attnum > 0 and not attisdropped`,
        [table],
      ),
    ),
  indexesOf: async (connection, table) =>
    names(
      await connection.all(
        `select relname::text as name from pg_index join pg_class on oid = indexrelid
         where indrelid = to_regclass(quote_ident($1)) and not indisprimary`,
        [table],
      ),
    ),
};

const arrayTypes = {
  text: "text[]",
  integer: "bigint[]",
  number: "double precision[]",
  boolean: "boolean[]",
};

/** Columns whose made-up values differ from `200 different ones`. */
const madeUp: Readonly<Record<string, string>> = {
  cid: "n::text",
  row: "n",
  valid_from: "0",
  valid_to: "null",
  id: "n::text",
  unique_key: "n::text",
  purge_at: "null",
  turns_at: "null",
};

/**
 * Without statistics the planner takes a tenant for a handful of rows, and plans made so stay for the
 * life of a connection. So a new table is analyzed with made-up rows, which then go, and a tenant
 * always counts as half a table. No made-up value is common: the planner would miss it in real ones.
 */
function assumedStatistics({ table, columns }: InsertTarget): string {
  const values = columns.map(({ name, type }) => {
    if (type === "boolean") return "n % 2 = 0";
    return madeUp[name] ?? (type === "text" ? "(n % 200)::text" : "n % 200");
  });
  const names = columns.map(({ name }) => escapeIdentifier(name));
  return `
    insert into "${table}" (${names.join(", ")})
      select ${values.join(", ")} from generate_series(1, 400) as made_up(n);
    alter table "${table}" alter column cid set (n_distinct = 2);
    analyze "${table}";
    delete from "${table}";`;
}

const names = (rows: readonly { name: string }[]) => new Set(rows.map(({ name }) => name));

const types: CustomTypesConfig = {
  getTypeParser: ((id: number, format?: "text" | "binary") =>
    id === postgresTypes.builtins.INT8
      ? Number
      : postgresTypes.getTypeParser(id, format ?? "text")) as typeof postgresTypes.getTypeParser,
};

export interface PostgresOptions {
  /** Connections for reads, and as many for transactions. Default 10. */
  readonly poolSize?: number;
  /** Told of connections that broke while idle. */
  readonly onIdleError?: (error: Error) => void;
}

/** Connects when first used. Throws `StoreError` when the server cannot be reached or refuses. */
export function openPostgres(url: string, options: PostgresOptions = {}): Database {
  const config: ClientConfig = {
    connectionString: url,
    types,
    pipeline: true,
    connectionTimeoutMillis: connectionMilliseconds,
    application_name: "security-platform",
  };
  // Two pools: a transaction that waits for a read must not starve it of a connection.
  const readers = openPool(config, options);
  const writers = openPool(config, options);
  return {
    dialect: postgresDialect,
    read: (cids, work) =>
      checkOut(readers, async (connection) => {
        // Both travel in one round trip: the connection answers in the order asked.
        const [, result] = await Promise.all([connection.see(cids), work(connection)]);
        return result;
      }),
    write: (cid, work) => checkOut(writers, (connection) => connection.transaction(cid, work)),
    own: (work) => asOwner(config, work),
    version: () => null,
    close: async () => {
      await Promise.all([readers.end(), writers.end()]);
    },
  };
}

function openPool(config: ClientConfig, options: PostgresOptions): Pool {
  const pool = new Pool({
    ...config,
    max: options.poolSize ?? 10,
    onConnect: takeServerRole,
  });
  pool.on("error", (error) => options.onIdleError?.(error));
  return pool;
}

async function takeServerRole(client: ClientBase): Promise<void> {
  try {
    await client.query(`set role ${serverRole}`);
  } catch (error) {
    throw new StoreError(
      `PostgreSQL: the login cannot work under the role ${serverRole}; let an administrator run: ` +
        `grant ${serverRole} to <login>`,
      { cause: error },
    );
  }
}

const connections = new WeakMap<ClientBase, PostgresConnection>();

async function checkOut<Result>(
  pool: Pool,
  work: (connection: PostgresConnection) => Promise<Result>,
): Promise<Result> {
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
  try {
    return await work(connection);
  } finally {
    client.release(connection.spent);
  }
}

async function asOwner<Result>(
  config: ClientConfig,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const client = new Client(config);
  const connection = new PostgresConnection(client);
  try {
    await client.connect();
  } catch (error) {
    throw postgresFailure(error);
  }
  try {
    return await connection.transaction(null, async () => {
      await connection.run(`select pg_advisory_xact_lock(${migrationLock})`);
      return work(connection);
    });
  } finally {
    await client.end();
  }
}

class PostgresConnection implements Connection {
  readonly dialect = postgresDialect;
  readonly #client: ClientBase;
  readonly #names = new Map<string, string>();
  #cids = "";
  #broken = false;

  constructor(client: ClientBase) {
    this.#client = client;
    // The query under way fails with it; without a listener the event would end the process.
    client.on("error", () => {
      this.#broken = true;
    });
  }

  /** True when the connection must not serve again. */
  get spent(): boolean {
    return this.#broken || this.#names.size > statementsPerConnection;
  }

  async all<Row>(text: string, parameters: readonly Bindable[]): Promise<readonly Row[]> {
    const result = await this.#query({ name: this.#name(text), text, values: [...parameters] });
    return result.rows as Row[];
  }

  async tuples<Tuple extends readonly unknown[]>(
    text: string,
    parameters: readonly Bindable[],
  ): Promise<readonly Tuple[]> {
    const query = { name: this.#name(text), text, values: [...parameters], rowMode: "array" };
    const result = await this.#query(query);
    return result.rows as unknown as Tuple[];
  }

  async insert(target: InsertTarget, rows: readonly (readonly Bindable[])[]): Promise<void> {
    const values = target.columns.map((_, at) => rows.map((row) => row[at] ?? null));
    const text = insertText(target);
    await this.#query({ name: this.#name(text), text, values });
  }

  async run(script: string): Promise<void> {
    await this.#query({ text: script });
  }

  /** Which tenants' records the connection sees from now on. */
  async see(cids: readonly string[]): Promise<void> {
    const setting = cids.join(",");
    if (setting === this.#cids) return;
    this.#cids = setting;
    await this.all("select set_config('app.cids', $1, false)", [setting]);
  }

  async transaction<Result>(
    cid: string | null,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    const tenant = escapeLiteral(cid ?? "");
    const began = this.run(
      `begin; select set_config('app.cids', ${tenant}, true), set_config('app.cid', ${tenant}, true)`,
    );
    try {
      const [, result] = await Promise.all([began, work(this)]);
      await this.run("commit");
      return result;
    } catch (error) {
      await began.catch(() => undefined);
      await this.run("rollback").catch(() => {
        this.#broken = true;
      });
      throw error;
    }
  }

  async #query(query: QueryConfig): Promise<QueryResult> {
    try {
      return await this.#client.query(query);
    } catch (error) {
      if (!(error instanceof DatabaseError)) this.#broken = true;
      throw postgresFailure(error);
    }
  }

  #name(text: string): string {
    let name = this.#names.get(text);
    if (name === undefined) {
      name = `s${this.#names.size}`;
      this.#names.set(text, name);
    }
    return name;
  }
}

const insertTexts = new WeakMap<InsertTarget, string>();

/** One array a column: any number of rows is the same statement. */
function insertText(target: InsertTarget): string {
  let text = insertTexts.get(target);
  if (text === undefined) {
    const columns = target.columns.map(({ name }) => escapeIdentifier(name));
    const arrays = target.columns.map(({ type }: Column, at) => `$${at + 1}::${arrayTypes[type]}`);
    text = `insert into ${escapeIdentifier(target.table)} (${columns.join(", ")})
      select * from unnest(${arrays.join(", ")})`;
    insertTexts.set(target, text);
  }
  return text;
}
