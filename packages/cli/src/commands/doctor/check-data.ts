import { accessSync, constants, existsSync, statSync } from "node:fs";
import { connect, createServer } from "node:net";
import type { RunningServer } from "../../api/running-server.ts";
import { exposedFiles } from "../../database/exposed-files.ts";
import { databaseFile, databaseUrl, dataFolder, printableUrl } from "../../database/url.ts";
import type { DatabaseOptions } from "../../database/options.ts";
import { describeError, systemCode } from "../../terminal/describe-error.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { fail, ok, warn, type Finding } from "./finding.ts";

/** The data folder exists, and only this user can read and write it. */
export function checkFolder(options: DatabaseOptions, context: CliContext): Finding {
  const name = "data folder";
  const folder = dataFolder(options, context);
  if (!existsSync(folder)) {
    return warn(
      name,
      `${folder} does not exist`,
      "secplat serve creates it; or choose it with --data",
    );
  }
  if (!statSync(folder).isDirectory()) {
    return fail(name, `${folder} is a file`, "choose a folder with --data");
  }
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return fail(
      name,
      `${folder} cannot be read and written by this user`,
      `change its owner or its rights, or choose another with --data`,
    );
  }
  const mode = statSync(folder).mode & 0o777;
  // Windows has no such bits.
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    return warn(
      name,
      `other users can enter ${folder} (mode ${mode.toString(8)})`,
      `chmod 700 ${folder}`,
    );
  }
  return ok(name, folder);
}

/** Checks that only this user can read the keys of the database and the demo's credentials. */
export function checkSecrets(options: DatabaseOptions, context: CliContext): Finding {
  const name = "secrets";
  const exposed = exposedFiles(options, context);
  if (exposed.length === 0) return ok(name, "no other user can read the files with secrets");
  const files = exposed.map(({ file, mode }) => `${file} (mode ${mode})`);
  return warn(
    name,
    `other users can read ${files.join(" and ")}`,
    `chmod 600 ${exposed.map(({ file }) => file).join(" ")}`,
  );
}

/** The database can be read and is not damaged. It is not changed, nor upgraded. */
export async function checkDatabase(
  options: DatabaseOptions,
  context: CliContext,
): Promise<Finding> {
  const name = "database";
  const url = databaseUrl(options, context);
  const file = databaseFile(url);
  if (file === null) return url.startsWith("sqlite:") ? ok(name, "in memory") : checkPostgres(url);
  if (!existsSync(file)) {
    return warn(name, `there is none at ${file}`, "secplat serve creates it");
  }
  const { DatabaseSync } = await import("node:sqlite");
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      const [row] = database.prepare("pragma quick_check(1)").all();
      const result = String(Object.values(row ?? {})[0]);
      return result === "ok"
        ? ok(name, `${file}, ${Math.ceil(statSync(file).size / 1_048_576)} MB`)
        : fail(name, `${file} is damaged: ${result}`, "restore it from a backup");
    } finally {
      database.close();
    }
  } catch (error) {
    return fail(
      name,
      `${file} cannot be read: ${describeError(error)}`,
      "choose another with --database, or restore it from a backup",
    );
  }
}

/** Whether the server of the database accepts connections. */
async function checkPostgres(url: string): Promise<Finding> {
  const shown = printableUrl(url);
  const { hostname, port } = new URL(url);
  try {
    await reach(hostname === "" ? "localhost" : hostname, Number(port || 5_432));
    return ok("database", `${shown} accepts connections`);
  } catch (error) {
    return fail(
      "database",
      `${shown} cannot be reached: ${describeError(error)}`,
      "start PostgreSQL, or correct --database",
    );
  }
}

const reach = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: 10_000 });
    socket.once("connect", () => {
      socket.destroy();
      resolve();
    });
    socket.once("timeout", () => socket.destroy(new Error("no response within 10 s")));
    socket.once("error", reject);
  });

/** A server can listen on the port; `running`: the server that runs on this data folder. */
export async function checkPort(
  port: number,
  running: RunningServer | undefined,
): Promise<Finding> {
  const name = "port";
  const used = running === undefined ? undefined : portOf(running.url);
  const owner =
    used === undefined
      ? ""
      : `${used} is that of the running server, process ${running?.process_id}`;
  if (used === port) return ok(name, owner);
  const problem = await listenProblem(port);
  const state = problem ?? `${port} is free`;
  if (owner !== "") return ok(name, `${owner}; for another server, ${state}`);
  return problem === null
    ? ok(name, state)
    : warn(name, state, "choose another with secplat serve --port, or 0 for any");
}

function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return Number(port) || (protocol === "https:" ? 443 : 80);
}

/** Why no server can listen on the port; null if one can. */
async function listenProblem(port: number): Promise<string | null> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once("error", reject);
      probe.listen(port, "127.0.0.1", resolve);
    });
    return null;
  } catch (error) {
    const isUsed = systemCode(error) === "EADDRINUSE";
    return isUsed ? `${port} is used by another program` : `${port}: ${describeError(error)}`;
  } finally {
    probe.close();
  }
}
