import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Database } from "../dialect.ts";
import { sqliteDialect } from "../sqlite/sqlite-dialect.ts";
import { sqliteDatabase, whenBusy, writerPragmas } from "../sqlite/sqlite-database.ts";
import { sqliteFailure } from "../sqlite/sqlite-errors.ts";
import { readerPragmas } from "../sqlite/sqlite-statements.ts";
import { nodeDriver } from "./node-driver.ts";
import { logBytes, SqliteCheckpoints } from "./sqlite-checkpoints.ts";
import { SqliteThreadConnection } from "./sqlite-thread-connection.ts";
import { temporaryFolder } from "./temporary-folder.ts";

interface OpenOptions {
  /** Default: true. */
  readonly durable?: boolean;
  /** Whether the state of `:memory:` can be copied and restored. Default: false. */
  readonly restorable?: boolean;
  /** The bytes of a database file that `:memory:` starts with. Default: an empty database. */
  readonly template?: Uint8Array | undefined;
}

/** Opens a file, or a temporary file for `:memory:`. See `sqliteDatabase`. */
export function openSqlite(
  path: string,
  { durable = true, restorable = false, template }: OpenOptions = {},
): Database {
  if (path === ":memory:") return openTemporary(restorable, template);
  return openFile(resolve(path), durable ? "full" : "off");
}

/** Uses a temporary file, because a second connection cannot see an in-memory database. */
function openTemporary(restorable: boolean, template: Uint8Array | undefined): Database {
  const { folder, remove } = temporaryFolder();
  const path = join(folder, "memory.db");
  if (template !== undefined) writeFileSync(path, template);
  const database = restorable ? openRestorable(path) : openFile(path, "off");
  return {
    ...database,
    close: async () => {
      await database.close();
      remove();
    },
  };
}

/** Without threads, whose changes would not be noticed. */
const openRestorable = (path: string): Database =>
  sqliteDatabase({
    driver: nodeDriver,
    path,
    journal: "pragma journal_mode = wal; pragma synchronous = off",
    restorable: true,
  });

function openFile(path: string, synchronous: "full" | "off"): Database {
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw sqliteFailure(error, path);
  }
  // `SqliteCheckpoints` makes the checkpoints.
  const journal = `pragma journal_mode = wal; pragma synchronous = ${synchronous};
    pragma wal_autocheckpoint = 0; pragma journal_size_limit = ${logBytes}`;
  const dialect = sqliteDialect;
  return sqliteDatabase({
    driver: nodeDriver,
    path,
    journal,
    threads: (writer) => {
      const checkpoints = new SqliteCheckpoints(
        { path, pragmas: `${whenBusy}; pragma synchronous = ${synchronous}` },
        () => writer.exec("pragma wal_checkpoint(passive)"),
      );
      const committed = () => checkpoints.committed();
      const aside = new SqliteThreadConnection({
        dialect,
        path,
        pragmas: `${whenBusy}; ${readerPragmas}`,
        idleMilliseconds: null,
      });
      const largeWrite = new SqliteThreadConnection({
        dialect,
        path,
        pragmas: `${whenBusy}; ${journal}; ${writerPragmas}`,
        idleMilliseconds: largeWriteIdleMilliseconds,
        committed,
      });
      return {
        aside,
        largeWrite,
        committed,
        close: async () => {
          await aside.close();
          await largeWrite.close();
          await checkpoints.close();
        },
      };
    },
  });
}

/** Time after which the idle thread of large transactions ends. */
const largeWriteIdleMilliseconds = 60_000;
