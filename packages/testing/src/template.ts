import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createClient,
  createTenant,
  everyScope,
  FixedKeys,
  openStoreAt,
  prepareStore,
  type Clock,
} from "@security-platform/server/internal";

/** The tenant of a new platform, and its client with all scopes. */
export interface HomeTenant {
  readonly cid: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A database to start with. */
export interface Template extends HomeTenant {
  readonly bytes: Uint8Array;
}

/** The same in all platforms of a process, which share a template. */
export const keys = new FixedKeys();

/** Before any time of a test, so that nothing seems to come from the future. */
const clock: Clock = { now: () => new Date("2024-01-01T00:00:00Z") };
const cid = "7e57".repeat(8);

/** Prepares a database: creating its tables takes most of the time of a start. */
export async function makeTemplate(): Promise<Template> {
  const folder = await mkdtemp(join(tmpdir(), "secplat-template-"));
  try {
    const path = join(folder, "template.db");
    const store = await openStoreAt({ url: `sqlite:${path}`, clock, keys, durable: false });
    try {
      await prepareStore(store, clock);
      const created_at = clock.now().toISOString();
      await createTenant(store, clock, { cid, name: "Test", parent_cid: null, created_at });
      const wanted = { cid, name: "test", scopes: everyScope };
      const client = await createClient(store.directory, clock, wanted);
      await store.close();
      return {
        cid,
        clientId: client.client_id,
        clientSecret: client.client_secret,
        bytes: await readFile(path),
      };
    } finally {
      await store.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
