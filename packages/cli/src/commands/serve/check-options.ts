import { constants, existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isLoopback, SecretKeyError } from "@security-platform/server/internal";
import { openFiles } from "../../database/files.ts";
import { keyFileOf } from "../../database/keys.ts";
import { databaseFile, databaseUrl, dataFolder, isInMemory } from "../../database/url.ts";
import { folderProblem } from "../../terminal/folder-problem.ts";
import { printable } from "../../terminal/printable.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { CommandError, exitCodes } from "../../terminal/exit-codes.ts";
import { fewestConnections } from "./database-connections.ts";
import { docsFolder } from "./docs-folder.ts";
import { readMail } from "./mail.ts";
import { readRtrRoot } from "./rtr-root.ts";
import type { ServeOptions } from "./serve-options.ts";
import { neededSdk } from "./telemetry.ts";
import { givenCertificate } from "./tls.ts";

interface Check {
  /** The names of the settings that it reads. */
  readonly of: readonly string[];
  /** Throws `CommandError`. */
  readonly run: (options: ServeOptions, context: CliContext) => void;
}

/** What a server requires of its settings beyond their values. */
const checks: readonly Check[] = [
  { of: ["data", "database"], run: databaseUrl },
  { of: ["data"], run: requireDataFolder },
  { of: ["data", "database"], run: requireDatabaseFile },
  { of: ["secrets-key"], run: requireKey },
  { of: ["data", "files"], run: openFiles },
  { of: ["files"], run: requireFilesFolder },
  { of: ["smtp-url", "mail-from"], run: readMail },
  { of: ["rtr-root"], run: readRtrRoot },
  { of: ["docs"], run: ({ docs }, context) => void docsFolder(docs, context) },
  { of: ["tls", "tls-cert", "tls-key"], run: givenCertificate },
  { of: ["dev", "host"], run: requireLoopback },
  { of: ["dev", "workers"], run: requireOneProcess },
  { of: ["data", "database", "workers"], run: requireSharedDatabase },
  { of: ["data", "database", "workers", "database-connections"], run: requireConnections },
  { of: ["data", "database", "database-replica"], run: requirePrimary },
  { of: ["port", "metrics-port", "host", "metrics-host"], run: requireTwoPorts },
  { of: [], run: (_options, context) => void neededSdk(context) },
];

/** All problems of the options together; `wrong`: the names of settings whose values are known to be wrong. */
export function optionProblems(
  options: ServeOptions,
  context: CliContext,
  wrong: ReadonlySet<string> = new Set(),
): readonly CommandError[] {
  return checks
    .filter(({ of }) => !of.some((name) => wrong.has(name)))
    .flatMap(({ of, run }) => {
      try {
        run(options, context);
        return [];
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        return [withPlaces(error, of, options)];
      }
    })
    .filter(
      ({ message }, index, all) => all.findIndex((each) => each.message === message) === index,
    );
}

/** Says where the values come from that the message names as flags. */
function withPlaces(
  { message, exitCode }: CommandError,
  of: readonly string[],
  { settingsFrom = {} }: ServeOptions,
): CommandError {
  const places = of.flatMap((name) => {
    const place = settingsFrom[name];
    const isNamed = new RegExp(`--${name}(?![\\w-])`).test(message);
    return place === undefined || !isNamed ? [] : [`--${name} is from ${place}`];
  });
  return new CommandError(
    places.length === 0 ? message : `${message} (${places.join(", ")})`,
    exitCode,
  );
}

/** Throws all problems of the options together. */
export function checkOptions(options: ServeOptions, context: CliContext): void {
  const problems = optionProblems(options, context);
  const [first] = problems;
  if (first === undefined) return;
  const isUsage = problems.some(({ exitCode }) => exitCode === exitCodes.usage);
  throw new CommandError(
    problems.map(({ message }) => message).join("\n"),
    isUsage ? exitCodes.usage : first.exitCode,
  );
}

const refuse = (message: string): never => {
  throw new CommandError(message, exitCodes.usage);
};

/** A server makes no key in a file that the operator names. */
function requireKey(options: ServeOptions, context: CliContext): void {
  if (options.secretsKey === undefined) return;
  try {
    keyFileOf(options, context).initial();
  } catch (error) {
    if (!(error instanceof SecretKeyError)) throw error;
    throw new CommandError(error.message);
  }
}

/**
 * A start creates a missing folder. Whether the database in one that exists can be written says the store, in its own
 * words.
 */
const databaseFolderProblem = (folder: string): string | null =>
  existsSync(folder) ? folderProblem(folder, constants.F_OK) : folderProblem(folder);

function requireDataFolder(options: ServeOptions, context: CliContext): void {
  const folder = dataFolder(options, context);
  const problem = databaseFolderProblem(folder);
  if (problem === null) return;
  throw new CommandError(
    `cannot use ${printable(folder)} as data folder: ${printable(problem)}; choose another with --data`,
  );
}

function requireDatabaseFile(options: ServeOptions, context: CliContext): void {
  const file = databaseFile(databaseUrl(options, context));
  if (options.database === undefined || file === null) return;
  const folder = dirname(file);
  const problem = databaseFolderProblem(folder);
  if (problem === null) return;
  refuse(
    `--database: ${printable(folder)} cannot be used: ${printable(problem)}; choose another folder`,
  );
}

function requireFilesFolder({ files }: ServeOptions, { workingFolder }: CliContext): void {
  const path = /^file:(?<path>.+)$/s.exec(files ?? "")?.groups?.["path"];
  if (path === undefined) return;
  const folder = resolve(workingFolder, path);
  const problem = folderProblem(folder);
  if (problem === null) return;
  refuse(
    `--files: ${printable(folder)} cannot be used: ${printable(problem)}; choose another folder`,
  );
}

function requireLoopback({ dev, host }: ServeOptions): void {
  if (dev !== true || isLoopback(host)) return;
  refuse(`--dev serves loopback addresses only, not ${host}; omit --dev or --host`);
}

function requireOneProcess({ dev, workers }: ServeOptions): void {
  if (dev !== true || workers === 1) return;
  refuse("--dev: the control plane works in a single process only; omit --dev or --workers");
}

function requireSharedDatabase(options: ServeOptions, context: CliContext): void {
  if (options.workers === 1 || !isInMemory(databaseUrl(options, context))) return;
  refuse(
    "--workers: an in-memory database works in a single process only; expected sqlite:<path> or postgres://user@host/name",
  );
}

function requireConnections(options: ServeOptions, context: CliContext): void {
  const { databaseConnections, workers } = options;
  const fewest = fewestConnections(workers);
  if (databaseConnections === undefined || databaseConnections >= fewest) return;
  if (databaseUrl(options, context).startsWith("sqlite:")) return;
  refuse(
    `--database-connections cannot be ${databaseConnections} with ${workers} workers; expected at least ${fewest}`,
  );
}

function requirePrimary(options: ServeOptions, context: CliContext): void {
  if (options.databaseReplica === undefined) return;
  if (!databaseUrl(options, context).startsWith("sqlite:")) return;
  refuse(
    "--database-replica: SQLite has no replicas; set --database to postgres://user@host/name, the primary of the replica, or omit --database-replica",
  );
}

function requireTwoPorts({ port, metricsPort, host, metricsHost }: ServeOptions): void {
  if (port === 0 || port !== metricsPort) return;
  const everywhere = ["0.0.0.0", "::"];
  if (host !== metricsHost && ![host, metricsHost].some((each) => everywhere.includes(each)))
    return;
  refuse(`--metrics-port cannot be ${port}, which is that of --port; choose another, or 0 for any`);
}
