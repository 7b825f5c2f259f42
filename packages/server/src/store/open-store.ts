import type { Clock } from "../foundation/clock.ts";
import { FixedKeys, type Keyring } from "../secrets/keyring.ts";
import type { Database } from "./dialects/dialect.ts";
import { migrations, type Migration } from "./schema/migrate.ts";
import { prepareDatabase } from "./schema/prepare-database.ts";
import { catchUp, upgradeRecords } from "./schema/upgrade-records.ts";
import { DatabaseStore } from "./store.ts";
import type { Resource, Store, UpgradeProgress } from "./types/types.ts";

export interface StoreOptions {
  /** The store closes it. */
  readonly database: Database;
  readonly clock: Clock;
  /** Every kind of record that the store holds. */
  readonly resources: readonly Resource[];
  /** Encrypts and decrypts secrets. Default: no keys, so sealed members can be neither read nor written. */
  readonly keys?: Keyring;
  /** The steps of the fixed schema. Default: those of this version. */
  readonly migrations?: readonly Migration[];
  /** Called after each batch of records that were upgraded or had the form of this version already. */
  readonly onUpgrade?: (progress: UpgradeProgress) => void;
}

/**
 * Creates or migrates the tables of a database. If this fails, it throws `StoreError` and closes the database, which has
 * the changes that were complete; a new database is unchanged. Then upgrades the records that earlier versions have
 * written, and fills new columns. What was cut off continues at the next start. Servers of the version before may run
 * meanwhile, and go on afterwards.
 */
export async function openStore({
  database,
  clock,
  resources,
  keys = new FixedKeys([]),
  migrations: steps = migrations,
  onUpgrade,
}: StoreOptions): Promise<Store> {
  try {
    const prepared = await prepareDatabase(database, { clock, resources, steps });
    await database.check();
    const upgrade = { clock, resources: prepared.own, onUpgrade };
    await upgradeRecords(database, upgrade);
    if (!prepared.isEarlier) await catchUp(database, upgrade);
    return new DatabaseStore(database, { clock, resources, keys, migrations: steps });
  } catch (error) {
    await database.close();
    throw error;
  }
}
