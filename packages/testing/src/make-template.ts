import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createClient,
  createTenant,
  everyScope,
  FixedKeys,
  newKeyText,
  openStoreAt,
  prepareStore,
  readSecretKeys,
  type Clock,
} from "@security-platform/server/internal";
import type { Template } from "./template.ts";

/** Before any time of a test, so that nothing seems to come from the future. */
const clock: Clock = { now: () => new Date("2024-01-01T00:00:00Z") };
const cid = "7e57".repeat(8);

/** Prepares a database: creating its tables takes most of the time of a start. */
export async function makeTemplate(): Promise<Template> {
  const folder = await mkdtemp(join(tmpdir(), "secplat-template-"));
  try {
    const path = join(folder, "template.db");
    const keyText = newKeyText();
    const keys = new FixedKeys(readSecretKeys(keyText));
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
        keyText,
        bytes: await readFile(path),
      };
    } finally {
      await store.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
