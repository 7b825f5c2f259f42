import type { Clock } from "../clock.ts";
import type { Database } from "./dialects/dialect.ts";
import { FixedKeys, type Keyring } from "../secrets/keyring.ts";
import { openPostgres, type PostgresLimits } from "./dialects/postgres/postgres.ts";
import { openSqlite } from "./dialects/sqlite/sqlite.ts";
import { StoreError } from "./types/errors.ts";
import { migrate } from "./schema/migrations/migrate.ts";
import { prepareTables, readSchema } from "./schema/schema.ts";
import { DatabaseStore } from "./store.ts";
import type { Resource, Store } from "./types/types.ts";

export interface StoreOptions {
  /** `sqlite:<path>`, `sqlite::memory:` or `postgres://…`. */
  readonly url: string;
  readonly clock: Clock;
  /** Every kind of record that the store holds. */
  readonly resources: readonly Resource[];
  /** Encrypts and decrypts secrets. Default: no keys, so sealed members can be neither read nor written. */
  readonly keys?: Keyring;
  readonly logger?: { warn(details: object, message: string): void };
  /** Number of PostgreSQL connections for reads, and the same number for transactions. Default 10. */
  readonly poolSize?: number;
  readonly postgres?: PostgresLimits;
  /** False: SQLite does not wait for the disk, so a power failure may damage the database. Default true. */
  readonly durable?: boolean;
}

/**
 * Opens the database, creates or migrates its tables, and fills new columns. If this fails, it throws
 * `StoreError` and leaves the database unchanged.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const database = openDatabase(options);
  try {
    await database.own(async (connection) => {
      const now = options.clock.now();
      let changed = await migrate(connection, now);
      const existing = await readSchema(connection, options.resources);
      for (const resource of options.resources) {
        changed = (await prepareTables(connection, resource, existing, now)) || changed;
      }
      if (changed) await connection.run(connection.dialect.admit);
    });
    await database.check();
    return new DatabaseStore(database, { keys: new FixedKeys([]), ...options });
  } catch (error) {
    await database.close();
    throw error;
  }
}

function openDatabase({ url, logger, poolSize, postgres, durable = true }: StoreOptions): Database {
  if (url.startsWith("sqlite:")) return openSqlite(url.slice("sqlite:".length), { durable });
  if (/^postgres(ql)?:\/\//.test(url)) {
    return openPostgres(url, {
      ...postgres,
      ...(poolSize === undefined ? {} : { poolSize }),
      onIdleError: (error) => logger?.warn({ err: error }, "an idle database connection broke"),
    });
  }
  throw new StoreError(
    `unknown database URL; write sqlite:<path> or postgres://user:password@host/database`,
  );
}
