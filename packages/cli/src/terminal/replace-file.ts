import { chmodSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { syncFolderNow } from "@security-platform/server/internal";
import { CommandError } from "./exit-codes.ts";
import { describeError } from "./describe-error.ts";

/**
 * Replaces a small file in one step: after a loss of power, the old or the new one is there. Only this user can read it.
 * Throws a `CommandError` that names the file.
 */
export function replaceFile(path: string, text: string): void {
  const fresh = `${path}.${process.pid}`;
  try {
    writeFileSync(fresh, text, { mode: 0o600, flush: true });
    chmodSync(fresh, 0o600);
    renameSync(fresh, path);
    syncFolderNow(dirname(path));
  } catch (error) {
    rmSync(fresh, { force: true });
    throw new CommandError(`cannot write ${path}: ${describeError(error)}`);
  }
}
