import { join, resolve } from "node:path";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import type { DatabaseOptions } from "./options.ts";

const memory = "sqlite::memory:";

export const dataFolder = (options: DatabaseOptions, { workingFolder }: Surroundings): string =>
  resolve(workingFolder, options.data);

/** The database that a command works on: as given, or SQLite in the data folder. */
export function databaseUrl(options: DatabaseOptions, surroundings: Surroundings): string {
  const { database } = options;
  if (database === undefined) {
    return `sqlite:${join(dataFolder(options, surroundings), "platform.sqlite")}`;
  }
  if (database === memory || /^postgres(ql)?:\/\/./.test(database)) return database;
  const path = /^sqlite:(?<path>.+)$/s.exec(database)?.groups?.["path"];
  if (path !== undefined) return `sqlite:${resolve(surroundings.workingFolder, path)}`;
  throw new CommandError(wrongUrl(database), exitCodes.usage);
}

/** Whether the database is gone with its process. */
export const isInMemory = (url: string): boolean => url === memory;

/** The file of a SQLite database; null for any other. */
export const databaseFile = (url: string): string | null =>
  url.startsWith("sqlite:") && !isInMemory(url) ? url.slice("sqlite:".length) : null;

/** The URL without what must not be printed: password and parameters. */
export function printableUrl(url: string): string {
  if (url.startsWith("sqlite:")) return url;
  try {
    const { protocol, username, host, pathname } = new URL(url);
    // A password with an unescaped / or @ in it ends elsewhere than the parser thinks.
    if (pathname.includes("@")) return `${protocol}//…`;
    return `${protocol}//${username === "" ? "" : `${username}@`}${host}${pathname}`;
  } catch {
    return "postgres";
  }
}

/** Whether the URL carries a password, which then must not stand in the arguments. */
export const holdsPassword = (url: string): boolean =>
  /^[a-z]+:\/\/[^/@]*:[^/]+@|[?&]password=/i.test(url);

/** Says nothing of a text that may hold a password but what is wrong with it. */
function wrongUrl(given: string): string {
  const expected = "expected sqlite:<path> or postgres://user@host/name";
  const scheme = /^(?<scheme>[a-z][a-z0-9+.-]*):/i.exec(given)?.groups?.["scheme"];
  if (scheme === undefined) {
    return given === ""
      ? `--database is empty; ${expected}`
      : `--database names no engine; ${expected}. For a SQLite file write sqlite:${holdsPassword(given) ? "<path>" : given}`;
  }
  return /^(sqlite|postgres)/i.test(scheme)
    ? `--database is incomplete behind ${scheme}:; ${expected}`
    : `--database: there is no engine "${scheme}"; ${expected}`;
}
