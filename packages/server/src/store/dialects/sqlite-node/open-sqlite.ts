import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Database } from "../dialect.ts";
import { sqliteDialect } from "../sqlite/sqlite-dialect.ts";
import { sqliteDatabase, whenBusy } from "../sqlite/sqlite-database.ts";
import { sqliteFailure } from "../sqlite/sqlite-errors.ts";
import { nodeDriver } from "./node-driver.ts";
import { SqliteAside } from "./sqlite-aside.ts";
import { logBytes, SqliteCheckpoints } from "./sqlite-checkpoints.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Opens a file, or a temporary file for `:memory:`. See `sqliteDatabase`. */
export function openSqlite(path: string, { durable = true } = {}): Database {
  if (path === ":memory:") return openTemporary();
  return openFile(resolve(path), durable ? "full" : "off");
}

/** Uses a temporary file, because a second connection cannot see an in-memory database. */
function openTemporary(): Database {
  const { folder, remove } = temporaryFolder();
  const database = openFile(join(folder, "memory.db"), "off");
  return {
    ...database,
    close: async () => {
      await database.close();
      remove();
    },
  };
}

function openFile(path: string, synchronous: "full" | "off"): Database {
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw sqliteFailure(error, path);
  }
  return sqliteDatabase({
    driver: nodeDriver,
    path,
    // `SqliteCheckpoints` makes the checkpoints.
    journal: `pragma journal_mode = wal; pragma synchronous = ${synchronous};
      pragma wal_autocheckpoint = 0; pragma journal_size_limit = ${logBytes}`,
    threads: (writer) => {
      const aside = new SqliteAside(sqliteDialect, path);
      const pragmas = `${whenBusy}; pragma synchronous = ${synchronous}`;
      const checkpoints = new SqliteCheckpoints({ path, pragmas }, () =>
        writer.exec("pragma wal_checkpoint(passive)"),
      );
      return {
        aside,
        committed: () => checkpoints.committed(),
        close: async () => {
          await aside.close();
          await checkpoints.close();
        },
      };
    },
  });
}
