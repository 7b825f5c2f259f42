import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { writeProblem } from "./write-problem.ts";

/** Why a folder, which need not exist yet, cannot be used; null if nothing speaks against it. `rights`: for writing by default. */
export function folderProblem(
  path: string,
  rights: number = constants.W_OK | constants.X_OK,
): string | null {
  try {
    const found = nearestExisting(path);
    if (!statSync(found).isDirectory()) {
      return found === path ? "it is a file" : `${found} is a file`;
    }
    accessSync(found, rights);
    return null;
  } catch (error) {
    return writeProblem(error);
  }
}

const nearestExisting = (path: string): string =>
  statSync(path, { throwIfNoEntry: false }) === undefined && dirname(path) !== path
    ? nearestExisting(dirname(path))
    : path;
