import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  seedWorld,
  systemClock,
  worldClient,
  type BlobStore,
  type Store,
} from "@security-platform/server/internal";
import { recordAudit } from "../audit-trail.ts";
import { describeError } from "../terminal/describe-error.ts";
import { CommandError } from "../terminal/exit-codes.ts";
import { readCredentials, writeCredentials, type DemoCredentials } from "./credentials.ts";

/** Fills an empty database with a small world and a client. Existing data is not changed. */
export async function ensureDemo(
  store: Store,
  blobs: BlobStore,
  folder: string,
): Promise<DemoCredentials | null> {
  const unfinished = join(folder, "first-start");
  const empty = (await store.directory.tenants()).length === 0;
  if (!empty && !existsSync(unfinished)) return readCredentials(folder);
  // Kept until the credentials are written, so that an interrupted first start is resumed.
  mark(unfinished);
  const seeded = await seedWorld(store, {
    world: "small",
    seed: 1,
    clock: systemClock,
    blobs,
  });
  const { client_id, client_secret, cid } = await worldClient(store, systemClock, {
    cid: seeded.cid,
    name: "demo",
  });
  await recordAudit(store, cid, "serve: demo client", [client_id]);
  const credentials: DemoCredentials = { client_id, client_secret, cid };
  writeCredentials(folder, credentials);
  rmSync(unfinished, { force: true });
  return credentials;
}

function mark(file: string): void {
  try {
    writeFileSync(file, "");
  } catch (error) {
    throw new CommandError(
      `the demo's credentials need a data folder: ${describeError(error)}; ` +
        "choose one with --data, or start without the demo: --no-demo",
    );
  }
}
