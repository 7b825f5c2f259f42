import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { DatabaseLimits } from "../database-limits.ts";
import type { Database } from "../dialect.ts";
import { sqliteDialect } from "../sqlite/sqlite-dialect.ts";
import { sqliteDatabase, whenBusy, writerPragmas } from "../sqlite/sqlite-database.ts";
import { sqliteFailure } from "../sqlite/sqlite-errors.ts";
import { readerPragmas } from "../sqlite/sqlite-statements.ts";
import { nodeDriver } from "./node-driver.ts";
import { logBytes, SqliteCheckpoints } from "./sqlite-checkpoints.ts";
import { SqliteLog } from "./sqlite-log.ts";
import { readersInTurns } from "./readers-in-turns.ts";
import { SqliteThreadConnection } from "./sqlite-thread-connection.ts";
import { temporaryFolder } from "./temporary-folder.ts";

interface OpenOptions extends Required<Pick<DatabaseLimits, "statementMilliseconds">> {
  /** False: does not wait for the disk. */
  readonly durable: boolean;
  /** Whether the state of `:memory:` can be copied and restored. */
  readonly restorable: boolean;
  /** The bytes of a database file that `:memory:` starts with. Undefined: an empty database. */
  readonly template: Uint8Array | undefined;
}

/** Opens a file, or a temporary file for `:memory:`. See `sqliteDatabase`. */
export function openSqlite(
  path: string,
  { durable, statementMilliseconds, restorable, template }: OpenOptions,
): Database {
  if (path === ":memory:") {
    const open = restorable ? openRestorable : openFile;
    return openTemporary(template, (file) =>
      open({ path: file, synchronous: "off", statementMilliseconds }),
    );
  }
  return openFile({
    path: resolve(path),
    synchronous: durable ? "full" : "off",
    statementMilliseconds,
  });
}

/** Uses a temporary file, because a second connection cannot see an in-memory database. */
function openTemporary(
  template: Uint8Array | undefined,
  open: (path: string) => Database,
): Database {
  const { folder, remove } = temporaryFolder();
  const path = join(folder, "memory.db");
  if (template !== undefined) writeFileSync(path, template);
  const database = open(path);
  return {
    ...database,
    close: async () => {
      await database.close();
      remove();
    },
  };
}

interface FileParts {
  readonly path: string;
  readonly synchronous: "full" | "off";
  readonly statementMilliseconds: number;
}

/** Without threads, whose changes would not be noticed. */
const openRestorable = ({ path, synchronous, statementMilliseconds }: FileParts): Database =>
  sqliteDatabase({
    driver: nodeDriver,
    path,
    journal: `pragma journal_mode = wal; pragma synchronous = ${synchronous}`,
    statementMilliseconds,
    restorable: true,
  });

function openFile({ path, synchronous, statementMilliseconds }: FileParts): Database {
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw sqliteFailure(error, path);
  }
  // `SqliteCheckpoints` makes the checkpoints.
  const journalWith = (level: "off" | "normal" | "full") => `pragma journal_mode = wal;
    pragma synchronous = ${level}; pragma wal_autocheckpoint = 0; pragma journal_size_limit = ${logBytes}`;
  const isDurable = synchronous === "full";
  const dialect = sqliteDialect;
  return sqliteDatabase({
    driver: nodeDriver,
    path,
    journal: journalWith(isDurable ? "normal" : "off"),
    log: isDurable ? new SqliteLog(path) : undefined,
    statementMilliseconds,
    threads: (writer, changed) => {
      const checkpoints = new SqliteCheckpoints(
        { path, pragmas: `${whenBusy}; pragma synchronous = ${synchronous}` },
        () => writer.exec("pragma wal_checkpoint(passive)"),
      );
      const committed = () => checkpoints.committed();
      const parts = { dialect, path, statementMilliseconds };
      const connections = Array.from(
        { length: threadsForReads },
        () =>
          new SqliteThreadConnection({
            ...parts,
            pragmas: `${whenBusy}; ${readerPragmas}`,
            idleMilliseconds: null,
          }),
      );
      const largeWrite = new SqliteThreadConnection({
        ...parts,
        // A thread may wait for the disk.
        pragmas: `${whenBusy}; ${journalWith(synchronous)}; ${writerPragmas}`,
        idleMilliseconds: largeWriteIdleMilliseconds,
        committed: () => {
          changed();
          return committed();
        },
      });
      const readers = readersInTurns({ dialect, connections, path, statementMilliseconds });
      return {
        aside: readers.of,
        load: readers.load,
        largeWrite,
        committed,
        close: async () => {
          await Promise.all(connections.map((connection) => connection.close()));
          await largeWrite.close();
          await checkpoints.close();
        },
      };
    },
  });
}

/** Threads start when they are needed. One tenant has at most one fewer. */
const threadsForReads = Math.max(2, Math.min(availableParallelism(), 4));

/** Time after which the idle thread of large transactions ends. */
const largeWriteIdleMilliseconds = 60_000;
