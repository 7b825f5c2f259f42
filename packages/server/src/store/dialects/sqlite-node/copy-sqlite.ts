import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { syncFolder } from "../../../foundation/sync-folder.ts";
import { StoreError } from "../../types/errors.ts";
import type { Connection } from "../dialect.ts";
import type { TableQueries, TableRows } from "../dump.ts";
import { requireOwn } from "../foreign-tables.ts";
import type { Sql } from "../sql.ts";
import { sqliteDialect } from "../sqlite/sqlite-dialect.ts";
import { sqliteCode, sqliteFailure } from "../sqlite/sqlite-errors.ts";
import { tablesOf, unreadable } from "./own-files.ts";

export { isOwnFile } from "./own-files.ts";

/** All pages in one step: SQLite begins anew if another process writes between two. */
const allPages = 2 ** 31 - 1;

/** Copies the last committed state of a database to a new file, while others read and write it. */
export async function copySqlite(path: string, target: string): Promise<void> {
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      requireOwn(tablesOf(database));
      await backup(database, target, { rate: allPages }).catch((error: unknown) => {
        throw isFull(error) ? sqliteFailure(error, target) : error;
      });
    } finally {
      database.close();
    }
  } catch (error) {
    throw sqliteFailure(error, path);
  }
}

const rowsAtOnce = 200;

/** The rows of tables as of one instant, while others read and write. */
export function* dumpSqlite(path: string, queriesOf: TableQueries): Generator<TableRows> {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    database.exec("begin");
    for (const { table, select } of queriesOf(tablesOf(database))) {
      let lines: string[] = [];
      for (const row of database.prepare(select).iterate()) {
        lines.push(JSON.stringify(row));
        if (lines.length < rowsAtOnce) continue;
        yield { table, lines };
        lines = [];
      }
      yield { table, lines };
    }
  } catch (error) {
    throw sqliteFailure(error, path);
  } finally {
    database?.close();
  }
}

/** Only the copy is written, so it is its disk that is full. */
const isFull = (error: unknown): boolean => [10, 13].includes(sqliteCode(error) ?? 0);

type Inspected = Pick<Connection, "all" | "dialect">;

/** Throws `StoreError` if a file is damaged or cannot be read; otherwise returns what `inspect` does. */
export async function inspectSqlite<Result>(
  path: string,
  inspect: (connection: Inspected) => Promise<Result>,
): Promise<Result> {
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      refuseDamage(database, path, "pragma quick_check(1)");
      return await inspect({
        dialect: sqliteDialect,
        all: async <Row>({ text }: Sql<Row>) => database.prepare(text).all() as Row[],
      });
    } finally {
      database.close();
    }
  } catch (error) {
    throw sqliteFailure(error, path);
  }
}

function refuseDamage(database: DatabaseSync, path: string, check: string): void {
  const [first] = database
    .prepare(check)
    .all()
    .flatMap((row) => Object.values(row));
  if (first === "ok") return;
  throw new StoreError(
    `database ${path}: it is damaged: ${String(first)}; restore it from a backup`,
  );
}

/** The number of the fixed schema of a file. Throws `StoreError` if the file is damaged. */
export function checkSqlite(path: string): number {
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      refuseDamage(database, path, "pragma integrity_check");
      requireOwn(tablesOf(database));
      const row = database.prepare("select max(number) as number from schema_migrations").get();
      return Number(row?.["number"] ?? 0);
    } finally {
      database.close();
    }
  } catch (error) {
    throw sqliteFailure(error, path);
  }
}

/**
 * Copies the log of a new database into its file. The last connection does this when it is closed, but does not report
 * that it could not, as on a full disk. Throws `StoreError` if it fails.
 */
export function emptyLog(path: string): void {
  try {
    const database = new DatabaseSync(path);
    try {
      const state = database.prepare("pragma wal_checkpoint(truncate)").get();
      if (state?.["busy"] === 0) return;
    } finally {
      database.close();
    }
  } catch (error) {
    throw sqliteFailure(error, path);
  }
  throw new StoreError(`database ${path}: another process has it open; stop that process first`);
}

/** Puts a complete file in the place of a database, at once. Throws `StoreError` if a process has the database open. */
export async function replaceSqlite(path: string, replacement: string): Promise<void> {
  if (existsSync(path)) takeFromOthers(path);
  // The log of the earlier database must not be applied to this one.
  for (const suffix of ["-wal", "-shm", "-journal"]) await rm(`${path}${suffix}`, { force: true });
  await rename(replacement, path);
  await syncFolder(dirname(path));
}

/** Only the last connection to a database can end its log, which needs all locks. */
function takeFromOthers(path: string): void {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    database.exec("pragma journal_mode = delete");
  } catch (error) {
    const { errcode = 0 } = error as { errcode?: number };
    // A damaged database may be replaced.
    if (unreadable.has(errcode & 0xff)) return;
    if ((errcode & 0xff) !== busy) throw sqliteFailure(error, path);
    throw new StoreError(`database ${path}: another process has it open; stop that process first`, {
      cause: error,
    });
  } finally {
    database?.close();
  }
}

const busy = 5;
