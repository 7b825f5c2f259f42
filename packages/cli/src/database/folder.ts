import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { syncFolderNow } from "@security-platform/server/internal";
import { CommandError } from "../terminal/exit-codes.ts";
import { writeProblem } from "../terminal/write-problem.ts";

const causes = { EEXIST: "it is a file", ENOENT: "a folder cannot be created there" };

/** Creates a folder that only this user can read, if it does not exist. */
export function makeFolder(path: string): void {
  try {
    for (const missing of missingFolders(path)) {
      mkdirSync(missing, { mode: 0o700 });
      syncFolderNow(dirname(missing));
    }
    if (!statSync(path).isDirectory()) throw Object.assign(new Error(), { code: "EEXIST" });
  } catch (error) {
    throw new CommandError(
      `cannot use ${path} as data folder: ${writeProblem(error, causes)}; choose another with --data`,
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
