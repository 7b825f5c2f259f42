import { dirname, join } from "node:path";
import { systemClock } from "../foundation/clock.ts";
import { resources } from "../platform/resources.ts";
import { KeyFile } from "../secrets/key-file.ts";
import { FixedKeys, type Keyring } from "../secrets/keyring.ts";
import { openStore, type Store, type StoreOptions } from "../store/index.ts";
import { activeTracing } from "./tracing/active-tracing.ts";
import { openDatabase, type DatabaseOptions } from "../store/open-database.ts";

/**
 * By default, the clock is the system's, and the store has every kind of record. The default of `keys` is the file
 * `secrets.key` beside a SQLite database, created if it is missing, a new key for a database in memory, or no key for
 * a PostgreSQL database, whose secrets can then be neither read nor written.
 */
export type OpenOptions = DatabaseOptions & Partial<Omit<StoreOptions, "database">>;

/** Opens the store in the database at a URL. Throws `StoreError`. */
export async function openStoreAt(options: OpenOptions): Promise<Store> {
  const defaults = { clock: systemClock, resources };
  const { keys = defaultKeys(options.url) } = options;
  const opened = await openDatabase(options);
  const tracing = await activeTracing();
  const database = tracing?.database(opened) ?? opened;
  return openStore({ ...defaults, ...options, keys, database });
}

function defaultKeys(url: string): Keyring {
  // Several servers share a PostgreSQL database, so a key that one of them creates would not do.
  if (isPostgres(url)) return new FixedKeys([]);
  const [, path] = /^sqlite:(?!:memory:$)(.+)$/s.exec(url) ?? [];
  if (path === undefined) return new FixedKeys();
  return new KeyFile(join(dirname(path), "secrets.key"), { create: true });
}

export const isPostgres = (url: string): boolean => /^postgres(ql)?:/.test(url);
