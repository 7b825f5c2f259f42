import { accessSync, constants, existsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { inspectDatabase, resources } from "@security-platform/server/internal";
import type { RunningServer } from "../../api/running-server.ts";
import { exposedFiles } from "../../database/exposed-files.ts";
import { keyFileOf } from "../../database/keys.ts";
import { missingKeys } from "../../database/missing-keys.ts";
import { databaseFailure } from "../../database/naming-database.ts";
import { databaseLimits, type DatabaseOptions } from "../../database/options.ts";
import {
  databaseFile,
  databaseUrl,
  dataFolder,
  isInMemory,
  printableUrl,
} from "../../database/url.ts";
import { describeError, systemCode } from "../../terminal/describe-error.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { argumentWord } from "../../terminal/shell-word.ts";
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
      `chmod 700 ${argumentWord(folder)}`,
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
    `chmod 600 ${exposed.map(({ file }) => argumentWord(file)).join(" ")}`,
  );
}

/** A server can use the database, which is not damaged. It is not changed, nor upgraded. */
export async function checkDatabase(
  options: DatabaseOptions,
  context: CliContext,
): Promise<Finding> {
  const name = "database";
  const url = databaseUrl(options, context);
  if (isInMemory(url)) return ok(name, "in memory");
  const file = databaseFile(url);
  if (file !== null && !existsSync(file)) {
    return warn(name, `there is none at ${file}`, "secplat serve creates it");
  }
  const shown = file ?? printableUrl(url);
  try {
    const found = await inspectDatabase(url, databaseLimits(options), resources);
    if (found.isEmpty) return warn(name, `${shown} is empty`, "secplat serve creates its tables");
    const missing = await missingKeys(options, context);
    if (missing.length > 0) {
      return fail(
        name,
        `${shown} has secrets whose keys ${keyFileOf(options, context).path} lacks: ${missing.join(", ")}`,
        "restore the file from your copy, or name another with --secrets-key; no server starts until then",
      );
    }
    if (found.upgradeProblem !== null) {
      return warn(
        name,
        `${shown} can be used, but not upgraded (${found.upgradeProblem})`,
        'let the login own the schema and its tables before the next upgrade; the guide "Running it" lists the rights',
      );
    }
    return file === null
      ? ok(name, `${shown} can be used`)
      : ok(name, `${shown}, ${Math.ceil(statSync(file).size / 1_048_576)} MB`);
  } catch (error) {
    // A message ends with what to do.
    const [problem = "", ...remedy] = (databaseFailure(error) ?? describeError(error)).split("; ");
    return fail(
      name,
      `${shown}: ${problem.replace(`database ${shown}: `, "")}`,
      remedy.join("; ") || "choose another with --database, or restore it from a backup",
    );
  }
}

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
