import type { Connection } from "../dialects/dialect.ts";

/** The counts of limits that the servers of a PostgreSQL share. SQLite serves one machine. */
export async function createLimitCounts(connection: Connection): Promise<void> {
  const { engine, types } = connection.dialect;
  if (engine !== "postgres") return;
  await connection.run(`
    create unlogged table limit_counts (
      -- The name of the limit.
      name ${types.text} not null,
      -- A tenant or an address.
      key ${types.text} not null,
      used ${types.integer} not null,
      -- Milliseconds since 1970.
      ends_at ${types.integer} not null,
      primary key (name, key)
    )`);
}
