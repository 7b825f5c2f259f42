import { defaultDatabaseLimits } from "../database-limits.ts";
import type { Connection, Database, Reader } from "../dialect.ts";
import type { WriteOptions } from "../../types/types.ts";
import { WriteQueue, type Writer } from "../write-queue.ts";
import type { SqliteDriver, SqliteHandle } from "./driver.ts";
import { busyMilliseconds, SqliteConnection } from "./sqlite-connection.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { sqliteFailure } from "./sqlite-errors.ts";
import { SqliteSnapshots, reportingChanges } from "./sqlite-snapshots.ts";
import { openWithPragmas, readerPragmas } from "./sqlite-statements.ts";

/** Work of a database in other threads, which would block the event loop. */
export interface SqliteThreads {
  /** A reader of a tenant for statements that look at many rows. */
  readonly aside: (cid: string) => Reader;
  /** A connection for transactions whose commit takes long. */
  readonly largeWrite: Connection & Writer;
  /** Called after each commit. */
  committed(): void;
  close(): Promise<void>;
}

export interface SqliteParts {
  readonly driver: SqliteDriver;
  /** The driver's name for the database, which messages repeat. */
  readonly path: string;
  /** The pragmas for the driver's journal. */
  readonly journal: string;
  /** Maximum time of a statement; 0: no limit. Default 60,000. */
  readonly statementMilliseconds?: number;
  /** Default: no threads. */
  readonly threads?: (writer: SqliteHandle) => SqliteThreads;
  /** Whether its state can be copied and restored. Only without threads and other processes. Default: false. */
  readonly restorable?: boolean;
  /** Whether a commit waits for no disk, so that it does not wait for others to share it. Default: false. */
  readonly quickCommits?: boolean;
}

export const whenBusy = `pragma busy_timeout = ${busyMilliseconds}`;

/**
 * A transaction with more changed pages than the cache holds writes them before the commit, which blocks the event
 * loop: for 35 MiB of pages, 64 MiB of cache took 70 ms and 16 MiB 40 ms.
 */
export const writerPragmas = "pragma foreign_keys = on; pragma cache_size = -16384";

/**
 * Opens a database. Several processes may open the same one. A transaction takes the single write lock at its
 * start and waits up to 15 seconds for it. Throws `StoreError` if the database cannot be used.
 */
export function sqliteDatabase({
  driver,
  path,
  journal,
  statementMilliseconds = defaultDatabaseLimits.statementMilliseconds,
  threads,
  restorable = false,
  quickCommits = false,
}: SqliteParts): Database {
  let snapshots: SqliteSnapshots | undefined;
  const writers = restorable ? reportingChanges(driver, (names) => snapshots?.note(names)) : driver;
  const [writer, reader] = connect({ driver: writers, path, journal });
  const dialect = sqliteDialect;
  const besides = threads?.(writer);
  const { aside = null } = besides ?? {};
  const committed = () => besides?.committed();
  const parts = { dialect, path, statementMilliseconds };
  const write = new SqliteConnection({ ...parts, handle: writer, aside: null, committed });
  const read = new SqliteConnection({ ...parts, handle: reader, aside });
  const queue = new WriteQueue(write, { quickCommits });
  if (restorable) {
    const pragmas = `${whenBusy}; ${journal}`;
    snapshots = new SqliteSnapshots({ driver, path, pragmas, idle: () => queue.idle() });
  }
  const dataVersion = reader.prepare("pragma data_version");
  const transact = <Result>(
    work: (connection: Connection) => Promise<Result>,
    { large = false }: WriteOptions = {},
  ) => {
    const connection = (large ? besides?.largeWrite : undefined) ?? write;
    return queue.transact(() => work(connection), connection);
  };
  return {
    dialect,
    snapshots,
    read: (_cids, work) => work(read),
    write: (_cid, work, options) => transact(work, options),
    asOwner: (work) => transact(work),
    check: async () => undefined,
    acceptsWrites: async () => true,
    // The planner uses assumed statistics.
    analyze: async () => undefined,
    version: () => {
      const [[version]] = dataVersion.tuples([]) as [[number]];
      return version;
    },
    close: async () => {
      await queue.idle();
      await besides?.close();
      snapshots?.close();
      reader.close();
      writer.close();
    },
  };
}

function connect({
  driver,
  path,
  journal,
}: Pick<SqliteParts, "driver" | "path" | "journal">): [SqliteHandle, SqliteHandle] {
  const opened: SqliteHandle[] = [];
  const open = (pragmas: string) => {
    const handle = openWithPragmas(driver, path, `${whenBusy}; ${pragmas}`);
    opened.push(handle);
    return handle;
  };
  try {
    const writer = open(`${journal}; ${writerPragmas}; pragma busy_timeout = 0`);
    return [writer, open(readerPragmas)];
  } catch (error) {
    for (const handle of opened) handle.close();
    throw sqliteFailure(error, path);
  }
}
