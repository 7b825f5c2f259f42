import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { describeError, systemCode } from "../terminal/describe-error.ts";
import { CommandError } from "../terminal/exit-codes.ts";

const causes: Readonly<Record<string, string>> = {
  EEXIST: "it is a file",
  ENOTDIR: "a part of the path is a file",
  EACCES: "this user has no write permission",
  EPERM: "this user has no write permission",
  ENOENT: "a folder cannot be created there",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
};

/** Creates a folder that only this user can read, if it does not exist. */
export function makeFolder(path: string): void {
  try {
    for (const missing of missingFolders(path)) mkdirSync(missing, { mode: 0o700 });
    if (!statSync(path).isDirectory()) throw Object.assign(new Error(), { code: "EEXIST" });
  } catch (error) {
    const cause = causes[systemCode(error) ?? ""] ?? describeError(error);
    throw new CommandError(
      `cannot use ${path} as data folder: ${cause}; choose another with --data`,
    );
  }
}

/**
 * Creates the topmost folder first. Node's recursive mkdir hangs in places where the system rejects
 * it, such as below /proc.
 */
function missingFolders(path: string): readonly string[] {
  const parent = dirname(path);
  // The root of a drive may be missing as well.
  return existsSync(path) || parent === path ? [] : [...missingFolders(parent), path];
}
