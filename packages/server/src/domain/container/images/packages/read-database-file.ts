import { DatabaseSync } from "node:sqlite";

/** Maximum number of rows: more than any real file of this kind has. */
const mostRows = 200_000;

/**
 * The values of a column of a SQLite file that another program wrote, for example one in an image. A
 * view is not read, because it could compute without end.
 */
export function readDatabaseFile(file: string, table: string, column: string): Uint8Array[] {
  const database = new DatabaseSync(file);
  try {
    database.exec("pragma trusted_schema = off");
    const isTable = database
      .prepare("select 1 from sqlite_schema where type = 'table' and name = ?")
      .get(table);
    if (isTable === undefined) throw new Error(`it has no table ${table}`);
    const values: Uint8Array[] = [];
    for (const row of database.prepare(`select "${column}" as value from "${table}"`).iterate()) {
      const { value } = row as { readonly value: unknown };
      if (value instanceof Uint8Array) values.push(value);
      if (values.length > mostRows) throw new Error(`it has more than ${mostRows} rows`);
    }
    return values;
  } finally {
    database.close();
  }
}
