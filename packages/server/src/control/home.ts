import { createClient } from "../access/clients.ts";
import { everyScope } from "../access/roles.ts";
import { createTenant } from "../catalogue/index.ts";
import type { Clock } from "../foundation/clock.ts";
import { prepareStore } from "../platform/platform.ts";
import { FixedKeys, type Keyring } from "../secrets/keyring.ts";
import { newKeyText, readSecretKeys } from "../secrets/secret-key.ts";
import type { Store } from "../store/index.ts";

/** The tenant of a new platform, and its client with all scopes. */
export interface HomeTenant {
  readonly cid: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The tenant of a database, and the database's key. */
export interface Home extends HomeTenant {
  /** The key of the secrets in the database. It protects nothing: all platforms of tests share it. */
  readonly keyText: string;
}

/** A prepared database to start with. */
export interface Template extends Home {
  /** A SQLite file. */
  readonly bytes: Uint8Array;
}

/** Before any time of a test, so that nothing seems to come from the future. */
const clock: Clock = { now: () => new Date("2024-01-01T00:00:00Z") };
const cid = "7e57".repeat(8);

/** Prepares a new database: creating its tables takes most of the time of a start. Closes it. */
export async function createHome(
  open: (parts: { readonly clock: Clock; readonly keys: Keyring }) => Promise<Store>,
): Promise<Home> {
  const keyText = newKeyText();
  const store = await open({ clock, keys: new FixedKeys(readSecretKeys(keyText)) });
  try {
    await prepareStore(store, clock);
    const created_at = clock.now().toISOString();
    await createTenant(store, clock, { cid, name: "Test", parent_cid: null, created_at });
    const wanted = { cid, name: "test", scopes: everyScope };
    const client = await createClient(store.directory, clock, wanted);
    return { cid, clientId: client.client_id, clientSecret: client.client_secret, keyText };
  } finally {
    await store.close();
  }
}
