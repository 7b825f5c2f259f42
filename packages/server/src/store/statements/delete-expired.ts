import type { Database } from "../dialects/dialect.ts";
import { sql } from "../dialects/sql.ts";

/** Small, so that other writes do not wait long. */
const batchSize = 1_000;

interface ExpiringTable {
  readonly table: string;
  /** The primary key. */
  readonly key: string;
  /** The column with the end of a row's time, which has an index. */
  readonly until: string;
}

/** Deletes the rows of a table whose time has ended at `instant`. Returns their number. */
export async function deleteExpired(
  database: Database,
  { table, key, until }: ExpiringTable,
  instant: string,
): Promise<number> {
  const [name, id, end] = [sql.id(table), sql.id(key), sql.id(until)];
  for (let deleted = 0; ;) {
    const rows = await database.write(null, (connection) =>
      connection.all(sql`delete from ${name} where ${id} in (
        select ${id} from ${name} where ${end} <= ${instant}
        order by ${end} limit ${sql.literal(batchSize)}) returning ${id}`),
    );
    deleted += rows.length;
    if (rows.length < batchSize) return deleted;
  }
}
