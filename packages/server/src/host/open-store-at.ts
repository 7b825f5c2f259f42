import { openStore, type Store, type StoreOptions } from "../store/index.ts";
import { openDatabase, type DatabaseOptions } from "../store/open-database.ts";

/** Opens the store in the database at a URL. Throws `StoreError`. */
export async function openStoreAt(
  options: DatabaseOptions & Omit<StoreOptions, "database">,
): Promise<Store> {
  return openStore({ ...options, database: await openDatabase(options) });
}
