import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../terminal/describe-error.ts";
import { makeFolder } from "./folder.ts";

/** The lock of a data folder. */
export interface FolderLock {
  release(): void;
}

/**
 * Locks a data folder for one server; null if another process holds the lock. SQLite locks the file in the operating
 * system, which frees it however the process ends. A release removes the file. A folder that cannot have a lock file
 * needs none.
 */
export async function lockFolder(folder: string): Promise<FolderLock | null> {
  const { DatabaseSync } = await import("node:sqlite");
  const path = join(folder, "server.lock");
  for (;;) {
    let file: InstanceType<typeof DatabaseSync> | undefined;
    try {
      makeFolder(folder);
      const before = existingFile(path);
      file = new DatabaseSync(path);
      file.exec("BEGIN EXCLUSIVE");
      const held = file;
      // Another process may have removed the file before it was locked: others would lock a new one.
      if (before === fileNumber(path)) {
        return { release: () => release(held, path) };
      }
      held.close();
    } catch (error) {
      file?.close();
      const isBusy = (error as { readonly errcode?: number }).errcode === busy;
      return isBusy ? null : { release: () => {} };
    }
  }
}

/** SQLITE_BUSY. */
const busy = 5;

/** The number of the lock file, which is created if it is missing. */
function existingFile(path: string): bigint | null {
  try {
    // An open file that exists would lose the locks of this process when it is closed.
    if (fileNumber(path) === null) closeSync(openSync(path, "ax", 0o600));
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  }
  return fileNumber(path);
}

const fileNumber = (path: string): bigint | null =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;

/** While the lock is held, nobody else can have the file that is removed. Windows does not remove an open file. */
function release(file: { close(): void }, path: string): void {
  const isWindows = process.platform === "win32";
  if (!isWindows) remove(path);
  file.close();
  if (isWindows) remove(path);
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It has no content, and the next server takes it over.
  }
}
