import { existsSync } from "node:fs";
import { dirname } from "node:path";
import {
  createLogger,
  openStoreAt,
  resources,
  systemClock,
  type Clock,
  type LogLevel,
  type Store,
} from "@security-platform/server/internal";
import type { CliContext } from "../terminal/cli-context.ts";
import { makeFolder } from "./folder.ts";
import { namingDatabase } from "./naming-database.ts";
import { openKeys } from "./keys.ts";
import { databaseLimits, type DatabaseOptions } from "./options.ts";
import { upgradeLog } from "./upgrade-log.ts";
import { databaseFile, databaseUrl, noDatabase } from "./url.ts";

export interface OpenOptions {
  /** Whether to create a missing database. Otherwise a mistyped folder is an error. */
  readonly create: boolean;
  /** PostgreSQL connections for reads, and the same number for transactions. */
  readonly poolSize?: number;
  /** A streaming replica for reads of requests that only read. */
  readonly replicaUrl?: string | undefined;
  readonly logLevel?: LogLevel;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Whether a database in memory can be reset. Default: false. */
  readonly restorable?: boolean;
}

/** Opens the store while `work` runs. */
export async function withStore<Result>(
  options: DatabaseOptions & OpenOptions,
  context: CliContext,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await open(options, context);
  return namingDatabase(databaseUrl(options, context), async () => {
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  });
}

export async function open(
  options: DatabaseOptions & OpenOptions,
  context: CliContext,
): Promise<Store> {
  const url = databaseUrl(options, context);
  const file = databaseFile(url);
  if (file !== null && !options.create && !existsSync(file)) {
    const more =
      ", or create one with: secplat serve, secplat seed or secplat tenants create <name>";
    throw noDatabase(file, options, more);
  }
  if (file !== null) makeFolder(dirname(file));
  const {
    poolSize,
    replicaUrl,
    logLevel = "info",
    clock = systemClock,
    restorable = false,
  } = options;
  const logger = createLogger(logLevel, context.stderr);
  return namingDatabase(url, () =>
    openStoreAt({
      url,
      logger,
      clock,
      restorable,
      replicaUrl,
      resources,
      keys: openKeys(options, context),
      databaseLimits: databaseLimits(options),
      ...(poolSize === undefined ? {} : { poolSize }),
      onUpgrade: upgradeLog(logger),
    }),
  );
}
