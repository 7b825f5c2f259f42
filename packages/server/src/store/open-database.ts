import type { Database } from "./dialects/dialect.ts";
import { defaultDatabaseLimits, type DatabaseLimits } from "./dialects/database-limits.ts";
import { StoreError } from "./types/errors.ts";
import type { ReplicaState } from "./types/replica.ts";

export { defaultDatabaseLimits, type DatabaseLimits } from "./dialects/database-limits.ts";

export interface DatabaseOptions {
  /** `sqlite:<path>`, `sqlite::memory:` or `postgres://…`. */
  readonly url: string;
  readonly logger?: { warn(details: object, message: string): void };
  /** Number of PostgreSQL connections for reads, and the same number for transactions. Default 10. */
  readonly poolSize?: number;
  readonly databaseLimits?: DatabaseLimits;
  /** A streaming replica of PostgreSQL, for reads of requests that only read. Default: none. */
  readonly replicaUrl?: string | undefined;
  /** False: SQLite does not wait for the disk, so a power failure may damage the database. Default true. */
  readonly durable?: boolean;
  /** Whether `Store.snapshots` copies and restores the state; only for `sqlite::memory:`. Default false. */
  readonly restorable?: boolean;
  /** Only for `sqlite::memory:`: the bytes of a SQLite file to start with. Default: an empty database. */
  readonly template?: Uint8Array | undefined;
}

const replicaLines: Readonly<Record<ReplicaState, string>> = {
  serving: "the replica serves reads again",
  behind: "the replica is behind; reads of what it lacks go to the primary until it has caught up",
  away: "the replica cannot be used; reads go to the primary until it can",
};

/** Opens a database of Node.js. Loads only the engine that the URL names. Throws `StoreError`. */
export async function openDatabase({
  url,
  logger,
  poolSize,
  databaseLimits = {},
  replicaUrl,
  durable = true,
  restorable = false,
  template,
}: DatabaseOptions): Promise<Database> {
  if (url.startsWith("sqlite:")) {
    const { openSqlite } = await import("./dialects/sqlite-node/open-sqlite.ts");
    return openSqlite(url.slice("sqlite:".length), {
      durable,
      restorable,
      template,
      ...defaultDatabaseLimits,
      ...databaseLimits,
    });
  }
  if (/^postgres(ql)?:\/\//.test(url)) {
    const { openPostgres } = await import("./dialects/postgres/postgres.ts");
    return openPostgres(url, {
      ...databaseLimits,
      ...(poolSize === undefined ? {} : { poolSize }),
      onIdleError: (error) => logger?.warn({ err: error }, "an idle database connection broke"),
      onUnprepared: () =>
        logger?.warn(
          {},
          "the pooler mixes up the prepared statements of its clients, so none are used (--no-prepare)",
        ),
      replicaUrl,
      onReplicaChange: (state, reason) =>
        logger?.warn(reason === null ? {} : { reason }, replicaLines[state]),
    });
  }
  throw new StoreError(
    `unknown database URL; write sqlite:<path> or postgres://user:password@host/database`,
  );
}
