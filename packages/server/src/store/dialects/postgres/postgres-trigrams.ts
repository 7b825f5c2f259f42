import { DatabaseError } from "pg";
import type { Connection, TrigramDialect, TrigramIndex } from "../dialect.ts";
import { StoreError } from "../../types/errors.ts";
import { sql } from "../sql.ts";

/** `btree_gin` lets one index hold the tenant as well, so that no search reads the rows of other tenants. */
const extensions = ["pg_trgm", "btree_gin"];

/** Lock number for changes of indexes: "sp" and another number than that of changes of tables. */
const indexLock = 0x7370_0002;

/** Memory for creating an index. With PostgreSQL's default, it takes twice the time. */
const buildMemory = "256MB";

export const postgresTrigrams: TrigramDialect = {
  versionsLike: (name, cid, { folded, exact }, most) => sql`
    select found.row, found.valid_from from ${sql.id(name)}(
      ${cid}, ${folded}, ${exact}, ${most}::bigint) as found`,
  // The lock is that of a transaction, because a pooler keeps the connection of a session for others. The transaction has
  // no snapshot afterwards, so that the creation of an index does not wait for it.
  isAlone: async (connection) => {
    await connection.run("begin");
    const [row] = await connection.all(
      sql<{
        is_alone: boolean;
      }>`select pg_try_advisory_xact_lock(${sql.literal(indexLock)}) as is_alone`,
    );
    return row?.is_alone === true;
  },
  find: (reader, names) =>
    reader.all(
      sql<{ name: string; state: "ready" | "building" | "broken"; bytes: number }>`
        select relname::text as name, pg_relation_size(pg_class.oid) as bytes,
          case when indisvalid then 'ready'
            when exists (select from pg_stat_progress_create_index as progress
              where progress.index_relid = pg_class.oid) then 'building'
            else 'broken' end as state
        from pg_class join pg_index on indexrelid = pg_class.oid
        where relname = any(${names}::text[]) and pg_table_is_visible(pg_class.oid)
          and exists (select from pg_proc where proname = relname and pg_function_is_visible(pg_proc.oid))
        order by relname`,
    ),
  prepare: async (connection, index) => {
    for (const name of extensions) await createExtension(connection, name);
    await connection.run(createFunction(index));
  },
  build: async (connection, { name, table, folded, where }) => {
    const [operators] = await connection.all(
      sql<{ schema: string }>`select nspname::text as schema from pg_extension
        join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm'`,
    );
    await connection.run(`set maintenance_work_mem = '${buildMemory}'`);
    await connection.run(`
      create index concurrently if not exists "${name}" on "${table}"
        using gin ((cid || ''), (${folded}) "${operators?.schema ?? "public"}".gin_trgm_ops)
        ${where === null ? "" : `where ${where}`}`);
  },
  drop: (connection, name) => connection.run(`drop index concurrently if exists "${name}"`),
  progress: async (reader, name) => {
    const [row] = await reader.all(
      sql<{ done: number; total: number }>`
        select blocks_done as done, blocks_total as total from pg_stat_progress_create_index
        where index_relid = to_regclass(quote_ident(${name}))`,
    );
    return row ?? { done: 0, total: 0 };
  },
};

async function createExtension(connection: Connection, name: string): Promise<void> {
  try {
    await connection.run(`create extension if not exists ${name}`);
  } catch (error) {
    const code = error instanceof DatabaseError ? error.code : undefined;
    if (code === "42501") {
      throw new StoreError(
        `PostgreSQL: the login may not create the extension ${name}; it needs the right to create in the database, ` +
          `or an administrator runs once: create extension ${name}`,
        { cause: error },
      );
    }
    if (code === "0A000" || code === "58P01" || code === "22023") {
      throw new StoreError(
        `PostgreSQL: the extension ${name} is not installed on the server; install its package with the additional ` +
          "modules, such as postgresql-contrib",
        { cause: error },
      );
    }
    throw error;
  }
}

/**
 * As for words, row-level security would not use the index: "like" may reveal other rows. So this function reads as the
 * owner of the table and checks the tenant itself. Only the index of trigrams can serve its condition on the tenant.
 */
const createFunction = ({ name, table, folded, exact, where }: TrigramIndex): string => `
  create or replace function "${name}"(tenant text, folded_pattern text, exact_pattern text, most bigint)
    returns table("row" bigint, valid_from bigint)
    language sql stable security definer rows 100
    set search_path from current set enable_seqscan = off
    as $$
      select found."row", found.valid_from from "${table}" as found
      where found.cid || '' = tenant
        and strpos(current_setting('app.cids', true), tenant) > 0
        ${where === null ? "" : `and ${where}`}
        and ${folded} like folded_pattern
        and (exact_pattern is null or ${exact} like exact_pattern)
      limit most
    $$`;
