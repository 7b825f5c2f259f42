import { defaultDatabaseLimits } from "../database-limits.ts";
import type { PoolLoad } from "../../types/pool-load.ts";
import { namesByTable, type Connection, type Database, type Reader } from "../dialect.ts";
import type { WriteOptions } from "../../types/types.ts";
import { WriteQueue, type Writer } from "../write-queue.ts";
import type { SqliteDriver, SqliteHandle, SqliteStatement } from "./driver.ts";
import { busyMilliseconds, SqliteConnection } from "./sqlite-connection.ts";
import { areOwn } from "../foreign-tables.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { sqliteFailure } from "./sqlite-errors.ts";
import { SqliteSnapshots, reportingChanges } from "./sqlite-snapshots.ts";
import { openWithPragmas, readerPragmas } from "./sqlite-statements.ts";

/** The log of a database whose commits do not wait for the disk themselves. */
export interface DurableLog {
  /** Called in each transaction before its work. Fails if a commit could not be brought to the disk. */
  ready(): Promise<void>;
  /** Resolves when all commits before are on the disk. If it fails, they may be lost, and it fails from then on. */
  sync(): Promise<void>;
  /** Throws if `sync` has failed. */
  check(): void;
  close(): Promise<void>;
}

/** Work of a database in other threads, which would block the event loop. */
export interface SqliteThreads {
  /** A reader of a tenant for statements that look at many rows. */
  readonly aside: (cid: string) => Reader;
  /** A connection for transactions whose commit takes long. */
  readonly largeWrite: Connection & Writer;
  /** What the threads for reads do. */
  load(): PoolLoad;
  /** Called after each commit; the next transaction begins when it resolves. Does not fail. */
  committed(): Promise<void>;
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
  /** Default: no threads. Call `changed` after each commit of a thread. */
  readonly threads?: (writer: SqliteHandle, changed: () => void) => SqliteThreads;
  /** Default: a commit itself waits for the disk, or nothing does. */
  readonly log?: DurableLog | undefined;
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
  log,
  restorable = false,
  quickCommits = false,
}: SqliteParts): Database {
  let snapshots: SqliteSnapshots | undefined;
  const writers = restorable ? reportingChanges(driver, (names) => snapshots?.note(names)) : driver;
  const [writer, reader] = connect({ driver: writers, path, journal });
  const dialect = sqliteDialect;
  const changes = new ChangeNumber(reader);
  const besides = threads?.(writer, () => changes.forget());
  const { aside = null } = besides ?? {};
  const committed = async () => {
    changes.forget();
    await Promise.all([log?.sync(), besides?.committed()]);
  };
  const parts = { dialect, path, statementMilliseconds };
  const write = new SqliteConnection({ ...parts, handle: writer, aside: null, committed });
  const read = new SqliteConnection({ ...parts, handle: reader, aside });
  const queue = new WriteQueue(write, { quickCommits });
  if (restorable) {
    const pragmas = `${whenBusy}; ${journal}`;
    snapshots = new SqliteSnapshots({ driver, path, pragmas, idle: () => queue.idle() });
  }
  const transact = <Result>(
    work: (connection: Connection) => Promise<Result>,
    { large = false }: WriteOptions = {},
  ) => {
    const connection = (large ? besides?.largeWrite : undefined) ?? write;
    return queue.transact(async () => {
      await log?.ready();
      return work(connection);
    }, connection);
  };
  return {
    dialect,
    snapshots,
    read: (_cids, work) => work(read),
    write: (_cid, work, options) => transact(work, options),
    asOwner: (work) => transact(work),
    check: async () => undefined,
    acceptsWrites: async () => {
      log?.check();
      return true;
    },
    load: () => [
      ...(besides === undefined ? [] : [besides.load()]),
      {
        pool: "write",
        inUse: queue.isWorking ? 1 : 0,
        idle: queue.isWorking ? 0 : 1,
        waiting: queue.waiting,
      },
    ],
    // The planner uses assumed statistics.
    analyze: async () => undefined,
    version: () => (restorable ? changes.read() : changes.inTurn()),
    close: async () => {
      await queue.idle();
      await besides?.close();
      snapshots?.close();
      await log?.close();
      reader.close();
      writer.close();
    },
  };
}

/** A number that changes with every commit of any process. */
class ChangeNumber {
  readonly #statement: SqliteStatement;
  #inTurn: number | null = null;

  constructor(reader: SqliteHandle) {
    this.#statement = reader.prepare("pragma data_version");
  }

  read(): number {
    const [[number]] = this.#statement.tuples([]) as [[number]];
    return number;
  }

  /**
   * The number when this turn of the event loop first asked, or after the last commit of this process: all requests
   * that arrive in one turn share one read.
   */
  inTurn(): number {
    if (this.#inTurn === null) {
      this.#inTurn = this.read();
      setImmediate(() => this.forget());
    }
    return this.#inTurn;
  }

  forget(): void {
    this.#inTurn = null;
  }
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
    const reader = open(readerPragmas);
    // The journal changes the file, which must not happen to that of another program.
    const statement = reader.prepare(sqliteDialect.everyTable.text);
    areOwn(namesByTable(statement.all([]) as { table: string; name: string }[]));
    statement.close();
    return [open(`${journal}; ${writerPragmas}; pragma busy_timeout = 0`), reader];
  } catch (error) {
    for (const handle of opened) handle.close();
    throw sqliteFailure(error, path);
  }
}
