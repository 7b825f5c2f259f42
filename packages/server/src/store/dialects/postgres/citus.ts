import {
  escapeIdentifier,
  escapeLiteral,
  type ClientBase,
  type QueryConfig,
  type QueryResult,
} from "pg";
import { StoreError } from "../../types/errors.ts";
import type { Connection, Dialect, InsertTarget } from "../dialect.ts";
import { sql, type Bindable, type Sql } from "../sql.ts";
import {
  admitToPlatform,
  arrayTypes,
  createWordsTable,
  fencesWith,
  postgresDialect,
  serverRole,
} from "./postgres-dialect.ts";

/**
 * A PostgreSQL with the extension Citus. Rows with a tenant are on the node of their tenant, so each statement names the
 * tenant of each of its tables. The nodes enforce row-level security, in the transaction that the coordinator opens there.
 */

/**
 * Selects whether the database has the extension, how it stores texts, and the schema that only the login finds: requests
 * run under another role, for which `$user` is another schema.
 */
export const kindOfDatabase = `select to_regclass('pg_dist_partition') is not null as "isCitus",
  current_setting('server_encoding') as encoding,
  case when current_schema() = session_user and session_user <> '${serverRole}'
    and current_setting('search_path') ~ '^ *"?[$]user'
    and not string_to_array(translate(current_setting('search_path'), '" ', ''), ',') @> array[session_user::text]
  then current_schema()::text end as "schemaOfLogin"`;

export interface KindOfDatabase {
  readonly isCitus: boolean;
  readonly encoding: string;
  readonly schemaOfLogin: string | null;
}

/** Throws `StoreError` for a database that no server can use. */
export function refuseUnusable({ encoding, schemaOfLogin }: KindOfDatabase): void {
  if (encoding !== "UTF8") {
    throw new StoreError(
      `PostgreSQL: the database has the encoding ${encoding}, which cannot store every text; expected UTF8: ` +
        "createdb --encoding UTF8 --template template0 <name>",
    );
  }
  if (schemaOfLogin === null) return;
  throw new StoreError(
    `PostgreSQL: the search path finds the schema "${schemaOfLogin}" as "$user", which is another one for the role of ` +
      "requests; name the schema of the tables: alter role <login> set search_path = <schema>",
  );
}

/** A policy on a node has no sub-selects. */
const { admitListed, ...fences } = fencesWith((expression) => expression);

export const citusDialect: Dialect = {
  ...postgresDialect,
  ...fences,
  // The policy of the values cannot query the records, which stay hidden themselves.
  admitAudience: (table, valuesTable) => admitListed(table) + admitToPlatform(valuesTable),
  // The tenants of the two tables may be on two nodes, so the rows come first. Null is in no list.
  isAbsent: ({ value, column, rows }) =>
    sql`(${value} is null or ${value} not in (select ${column} from ${rows} and ${column} is not null))`,
  // A function of the coordinator cannot run on the nodes, so the searches are a part of the statement.
  createWords: (table) => createWordsTable(table) + fences.fence(table),
  dropWords: (table) => `drop table "${table}";`,
  versionsWithWords: (table, cid, { proven, possible, part, phrases }) => {
    const versions = (words: string, compared: Sql) => sql`
      select found.row, found.valid_from from ${sql.id(table)} as found
      where found.cid = ${cid} and
        array_to_tsvector(string_to_array(found.words, ' ')) @@ ${`'_${cid}'${words}`}::tsquery ${compared}`;
    const holds = part === null ? sql`` : sql`and found.text_key like '%' || ${part} || '%'`;
    const sequences = sql`and found.sequence like all(${phrases.map((each) => `%${each}%`)}::text[])`;
    const selects = [
      ...(proven === null ? [] : [versions(proven, sql``)]),
      ...(possible === null ? [] : [versions(possible, sql`${holds} ${sequences}`)]),
    ];
    return sql.join(selects, " union all ");
  },
};

/**
 * Begins a transaction whose settings also hold on the nodes. Only commands that stand alone in their message get there.
 * `cid`: the tenant that writes, or null for a read.
 */
export function beginOnNodes(
  cids: string,
  cid: string | null,
  statementMilliseconds: number,
): readonly string[] {
  const begin = cid === null ? "begin read only" : "begin";
  return [
    `${begin}; set local role ${serverRole}; set local statement_timeout = ${statementMilliseconds};
      set local citus.propagate_set_commands = 'local'`,
    ...(cids === "" ? [] : [`set local app.cids = ${escapeLiteral(cids)}`]),
    ...(cid === null || cid === "" ? [] : [`set local app.cid = ${escapeLiteral(cid)}`]),
  ];
}

/** Reads rows of tenants on their nodes. Throws the first failure, because the engine refuses what follows it. */
export async function readOnNodes(
  client: ClientBase,
  query: QueryConfig,
  cids: string,
  statementMilliseconds: number,
): Promise<QueryResult> {
  const sent = [
    ...beginOnNodes(cids, null, statementMilliseconds).map((text) => ({ text })),
    query,
    { text: "commit" },
  ].map((each) => client.query(each));
  const answers = await Promise.allSettled(sent);
  for (const answer of answers) if (answer.status === "rejected") throw answer.reason;
  return sent.at(-2) as Promise<QueryResult>;
}

/** Number of rows in the largest statement with a value for each column of a row. */
const mostRows = 64;

/**
 * Parts for one statement each, whose sizes are powers of two: so there are few different statements. Citus would copy the
 * rows of a select to the nodes by a command that row-level security refuses.
 */
export function* partsOf(rows: readonly (readonly Bindable[])[]): Generator<typeof rows> {
  for (let from = 0; from < rows.length;) {
    let size = mostRows;
    while (size > rows.length - from) size /= 2;
    yield rows.slice(from, from + size);
    from += size;
  }
}

/** Inserts rows as values. */
export function insertValuesText({ table, columns }: InsertTarget, rows: number): string {
  const names = columns.map(({ name }) => escapeIdentifier(name));
  const values = Array.from({ length: rows }, (_, row) => {
    const each = columns.map(
      ({ type }, at) => `$${row * columns.length + at + 1}::${arrayTypes[type].slice(0, -2)}`,
    );
    return `(${each.join(", ")})`;
  });
  return `insert into ${escapeIdentifier(table)} (${names.join(", ")}) values ${values.join(", ")}`;
}

/** Few rows without a tenant of their own. Each node has all of them. In an order in which rows refer to earlier ones. */
const referenceTables = [
  "settings",
  "tenants",
  "api_clients",
  "client_secrets",
  "access_tokens",
  "schema_migrations",
  "resource_layouts",
  "record_revisions",
  "schedules",
];

/** Rows that all tenants' requests change all the time. They stay on the coordinator. */
const coordinatorTables = ["jobs", "keyed_requests"];

/** Their rows are on the node of their tenant because those of this table are. */
const firstTable = "write_numbers";

/**
 * Distributes one table that is not distributed yet. Returns false if there is none. Each table has a transaction of its
 * own, because one for all of them would need more locks than a node has. Other servers may start at the same time.
 */
export async function distributeNext(connection: Connection): Promise<boolean> {
  await prepareNodes(connection);
  // A table that refers to a reference table becomes a table of the coordinator before it is distributed itself.
  const tables = await connection.all(
    sql<{ name: string; has_cid: boolean; is_known: boolean; is_reference: boolean }>`
      select relname::text as name, attname is not null as has_cid,
        repmodel is not null as is_known, repmodel is not distinct from 't' as is_reference
      from pg_class
      left join pg_attribute on attrelid = pg_class.oid and attname = 'cid' and not attisdropped
      left join pg_dist_partition on logicalrelid = pg_class.oid
      where relnamespace = quote_ident(current_schema())::regnamespace and relkind = 'r'
      order by relname = ${firstTable} desc, relname`,
  );
  const uncopied = new Set(
    tables.flatMap(({ name, is_reference }) => (is_reference ? [] : [name])),
  );
  const unknown = new Set(tables.flatMap(({ name, is_known }) => (is_known ? [] : [name])));
  const reference = referenceTables.find((name) => uncopied.has(name));
  const local = coordinatorTables.find((name) => unknown.has(name));
  const owned = tables.find(({ has_cid, is_known }) => has_cid && !is_known)?.name;
  const name = reference ?? local ?? owned;
  if (name === undefined) return false;
  const table = escapeLiteral(`"${name}"`);
  if (name === reference) await connection.run(`select create_reference_table(${table})`);
  else if (name === local)
    await connection.run(`select citus_add_local_table_to_metadata(${table})`);
  else {
    const beside = escapeLiteral(name === firstTable ? "none" : firstTable);
    await connection.run(
      `select create_distributed_table(${table}, 'cid', colocate_with => ${beside})`,
    );
  }
  return true;
}

/** Throws `StoreError` if the nodes cannot work with the coordinator yet. */
async function prepareNodes(connection: Connection): Promise<void> {
  const nodes = await connection.all(sql<{ groupid: number }>`select groupid from pg_dist_node`);
  if (!nodes.some(({ groupid }) => groupid === 0)) {
    throw new StoreError(
      "PostgreSQL: Citus does not know the host of its coordinator, which the nodes need; let an administrator run: " +
        "select citus_set_coordinator_host('<host>')",
    );
  }
  // The coordinator connects to the nodes under the role of the transaction.
  const [role] = await connection.all(
    sql<{
      can_login: boolean;
    }>`select rolcanlogin as can_login from pg_roles where rolname = ${serverRole}`,
  );
  const hasWorkers = nodes.some(({ groupid }) => groupid !== 0);
  if (hasWorkers && role?.can_login === false)
    await connection.run(`alter role ${serverRole} login`);
}
