import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, seedWorld, systemClock, type Store } from "@security-platform/server";
import { scopes } from "./scopes.ts";
import { CommandError } from "./terminal/exit-codes.ts";

export interface DemoCredentials {
  readonly client_id: string;
  readonly client_secret: string;
  readonly cid: string;
}

const fileIn = (folder: string): string => join(folder, "credentials.json");

/** Fills an empty database with a small world and a client; what is there already stays as it is. */
export async function ensureDemo(store: Store, folder: string): Promise<DemoCredentials | null> {
  if ((await store.directory.tenants()).length > 0) return readCredentials(folder);
  const seeded = await seedWorld(store, { world: "small", seed: 1, clock: systemClock });
  const client = await createClient(store.directory, systemClock, {
    cid: seeded.cid,
    name: "demo",
    scopes: scopes(),
  });
  const credentials: DemoCredentials = {
    client_id: client.client_id,
    client_secret: client.client_secret,
    cid: client.cid,
  };
  writeFileSync(fileIn(folder), `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  return credentials;
}

/** The demo client's credentials from the first start; null where there was none. */
function readCredentials(folder: string): DemoCredentials | null {
  const file = fileIn(folder);
  if (!existsSync(file)) return null;
  try {
    return JSON.parse(readFileSync(file, "utf8")) as DemoCredentials;
  } catch {
    throw new CommandError(
      `${file} is not valid JSON; delete it and make a client with: secplat clients create`,
    );
  }
}
