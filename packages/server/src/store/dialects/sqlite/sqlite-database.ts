import type { Connection, Database } from "../dialect.ts";
import { WriteQueue } from "../write-queue.ts";
import type { SqliteDriver, SqliteHandle } from "./driver.ts";
import { busyMilliseconds, SqliteConnection } from "./sqlite-connection.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { sqliteFailure } from "./sqlite-errors.ts";
import { openWithPragmas, readerPragmas } from "./sqlite-statements.ts";

/** Work of a database in other threads, which would block the event loop. */
export interface SqliteThreads {
  /** A connection for statements that look at many rows. */
  readonly aside: Connection;
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
  /** Default: no threads. */
  readonly threads?: (writer: SqliteHandle) => SqliteThreads;
}

export const whenBusy = `pragma busy_timeout = ${busyMilliseconds}`;

/**
 * Opens a database. Several processes may open the same one. A transaction takes the single write lock at its
 * start and waits up to 15 seconds for it. Throws `StoreError` if the database cannot be used.
 */
export function sqliteDatabase({ driver, path, journal, threads }: SqliteParts): Database {
  const [writer, reader] = connect({ driver, path, journal });
  const dialect = sqliteDialect;
  const besides = threads?.(writer);
  const aside = besides?.aside ?? null;
  const committed = () => besides?.committed();
  const write = new SqliteConnection({ dialect, path, handle: writer, aside: null, committed });
  const read = new SqliteConnection({ dialect, path, handle: reader, aside });
  const queue = new WriteQueue(write);
  const dataVersion = reader.prepare("pragma data_version");
  const transact = <Result>(work: (connection: Connection) => Promise<Result>) =>
    queue.transact(() => work(write));
  return {
    dialect,
    read: (_cids, work) => work(read),
    readNow: (_cids, work) => work(read),
    write: (_cid, work) => transact(work),
    own: transact,
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
      reader.close();
      writer.close();
    },
  };
}

function connect({
  driver,
  path,
  journal,
}: Omit<SqliteParts, "threads">): [SqliteHandle, SqliteHandle] {
  const opened: SqliteHandle[] = [];
  const open = (pragmas: string) => {
    const handle = openWithPragmas(driver, path, `${whenBusy}; ${pragmas}`);
    opened.push(handle);
    return handle;
  };
  try {
    // A transaction with more changed pages than the cache holds writes them before the commit, which blocks
    // the event loop: for 35 MiB of pages, 64 MiB of cache took 70 ms and 16 MiB 40 ms.
    const writer = open(
      `${journal}; pragma foreign_keys = on; pragma cache_size = -16384; pragma busy_timeout = 0`,
    );
    return [writer, open(readerPragmas)];
  } catch (error) {
    for (const handle of opened) handle.close();
    throw sqliteFailure(error, path);
  }
}
