import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { databaseProblem, withHost } from "../options/database-problem.ts";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { printable } from "../terminal/printable.ts";
import type { DatabaseOptions } from "./options.ts";

const memory = "sqlite::memory:";

export const dataFolder = (options: DatabaseOptions, { workingFolder }: CliContext): string =>
  resolve(workingFolder, options.data);

/** The database of a command: that of `--database`, or SQLite in the data folder. */
export function databaseUrl(options: DatabaseOptions, context: CliContext): string {
  const { database } = options;
  if (database === undefined) {
    return fileUrl(join(dataFolder(options, context), "platform.sqlite"), "");
  }
  const problem = databaseProblem(database, "--database");
  if (problem !== null) throw new CommandError(problem, exitCodes.usage);
  if (database === memory || !database.startsWith("sqlite:")) return database;
  return fileUrl(resolve(context.workingFolder, database.slice("sqlite:".length)), "--database: ");
}

/** Refuses a folder, of which SQLite says only that it cannot be opened, or that the disk failed. */
function fileUrl(file: string, source: string): string {
  if (!isFolder(file)) return `sqlite:${file}`;
  const expected =
    source === ""
      ? "a file or none; remove it, or choose another folder with --data"
      : `a file, such as sqlite:${printable(join(file, "platform.sqlite"))}, or --data for the folder`;
  throw new CommandError(
    `${source}${printable(file)} is a folder; expected ${expected}`,
    exitCodes.usage,
  );
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Whether the database exists only in the memory of its process. */
export const isInMemory = (url: string): boolean => url === memory;

/** The error for a SQLite database that does not exist. `more`: what else to do. */
export function noDatabase(
  file: string,
  { databaseFrom }: DatabaseOptions,
  more = "",
): CommandError {
  const from = databaseFrom === undefined ? "" : ` (from ${databaseFrom})`;
  return new CommandError(
    `there is no database at ${file}${from}; choose its folder with --data${more}`,
  );
}

/** The file of a SQLite database; null for any other. */
export const databaseFile = (url: string): string | null =>
  url.startsWith("sqlite:") && !isInMemory(url) ? url.slice("sqlite:".length) : null;

/** The URL without its secret parts: password and parameters. */
export function printableUrl(url: string): string {
  if (url.startsWith("sqlite:")) return url;
  try {
    const hasHost = URL.canParse(url);
    const parsed = new URL(hasHost ? url : withHost(url));
    const { protocol, username, pathname, hash } = parsed;
    // With an unescaped / or @ in the password, the URL parser misplaces its end.
    if (pathname.includes("@") || hash !== "") return `${protocol}//…`;
    const host = hasHost ? parsed.host : "";
    return `${protocol}//${username === "" ? "" : `${username}@`}${host}${pathname}`;
  } catch {
    return "postgres";
  }
}

/** Whether the URL contains a password, which must not be passed as an argument. */
export const holdsPassword = (url: string): boolean =>
  /^[a-z]+:\/\/[^/@]*:[^/]+@|[?&]password=/i.test(url);
