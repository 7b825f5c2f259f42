import { createReadStream, existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "../../types/errors.ts";
import { namesByTable, type NamesByTable } from "../dialect.ts";
import { mayReplace } from "../foreign-tables.ts";
import { sqliteDialect } from "../sqlite/sqlite-dialect.ts";
import { sqliteCode, sqliteFailure } from "../sqlite/sqlite-errors.ts";

/** The columns of all tables of an open database. It throws the errors of SQLite. */
export const tablesOf = (database: DatabaseSync): NamesByTable =>
  namesByTable(
    database.prepare(sqliteDialect.everyTable.text).all() as { table: string; name: string }[],
  );

/**
 * Whether a file that is to be replaced has tables of the platform, or had them before it was damaged. False: it is an
 * empty database. Throws `StoreError` for any other file.
 */
export async function isOwnFile(path: string): Promise<boolean> {
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      return mayReplace(tablesOf(database));
    } finally {
      database.close();
    }
  } catch (error) {
    const code = sqliteCode(error) ?? 0;
    if (!unreadable.has(code) && code !== readOnly) throw sqliteFailure(error, path);
    if (await hasOwnStatements(path)) return true;
    if (unreadable.has(code) && isAtOwnPlace(path) && !(await isText(path))) return true;
  }
  throw new StoreError(
    `database ${path}: nothing in this file shows that it was a database of the platform; ` +
      "choose another path, or move the file away first",
  );
}

/** SQLite's result codes for a damaged database: error (of a format that it does not know), corrupt and no database. */
export const unreadable: ReadonlySet<number> = new Set([1, 11, 26]);

/** SQLite's result code for a database whose last transaction was cut off, and which must be written to be read. */
const readOnly = 8;

/** SQLite keeps the statements that created the tables. */
const ownStatements = [
  "schema_migrations",
  "write_numbers",
  "record_revisions",
  "keyed_requests",
].map((table) => `CREATE TABLE ${table} (`);

/** Whether a file that cannot be read has statements of the platform. */
async function hasOwnStatements(path: string): Promise<boolean> {
  let rest = "";
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) {
    const text = rest + (chunk as Buffer).toString("latin1");
    if (ownStatements.some((statement) => text.includes(statement))) return true;
    rest = text.slice(-longestStatement);
  }
  return false;
}

const longestStatement = Math.max(...ownStatements.map(({ length }) => length));

/** Whether the file is where a server keeps its database, beside its keys or files. */
const isAtOwnPlace = (path: string): boolean =>
  basename(path) === "platform.sqlite" &&
  ["secrets.key", "blobs"].some((name) => existsSync(join(dirname(path), name)));

/** No database has a first page without zeros. */
async function isText(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(firstBytes) });
    return !buffer.subarray(0, bytesRead).includes(0);
  } finally {
    await file.close();
  }
}

const firstBytes = 4096;
