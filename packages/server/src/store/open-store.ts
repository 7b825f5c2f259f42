import type { Clock } from "../foundation/clock.ts";
import { FixedKeys, type Keyring } from "../secrets/keyring.ts";
import type { Database } from "./dialects/dialect.ts";
import { migrate } from "./schema/migrate.ts";
import { prepareTables, readSchema } from "./schema/schema.ts";
import { upgradeRecords, type UpgradeProgress } from "./schema/upgrade-records.ts";
import { DatabaseStore } from "./store.ts";
import type { Resource, Store } from "./types/types.ts";

export interface StoreOptions {
  /** The store closes it. */
  readonly database: Database;
  readonly clock: Clock;
  /** Every kind of record that the store holds. */
  readonly resources: readonly Resource[];
  /** Encrypts and decrypts secrets. Default: no keys, so sealed members can be neither read nor written. */
  readonly keys?: Keyring;
  /** Called after each batch of records that were upgraded or had the form of this version already. */
  readonly onUpgrade?: (progress: UpgradeProgress) => void;
}

/**
 * Creates or migrates the tables of a database, and fills new columns. If this fails, it throws `StoreError`,
 * closes the database and leaves it unchanged. Then upgrades the records that earlier versions have written. An
 * upgrade that was cut off continues at the next start.
 */
export async function openStore({
  database,
  clock,
  resources,
  keys = new FixedKeys([]),
  onUpgrade,
}: StoreOptions): Promise<Store> {
  try {
    await database.asOwner(async (connection) => {
      const now = clock.now();
      let changed = await migrate(connection, now);
      const existing = await readSchema(connection, resources);
      for (const resource of resources) {
        changed = (await prepareTables(connection, resource, existing, now)) || changed;
      }
      if (changed) await connection.run(connection.dialect.admit);
    });
    await database.check();
    await upgradeRecords(database, { clock, resources, onUpgrade });
    return new DatabaseStore(database, { clock, resources, keys });
  } catch (error) {
    await database.close();
    throw error;
  }
}
