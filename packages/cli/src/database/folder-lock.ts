import { join } from "node:path";
import { makeFolder } from "./folder.ts";

/** The lock of a data folder. */
export interface FolderLock {
  release(): void;
}

/**
 * Locks a data folder for one server; null if another process holds the lock. SQLite locks the file in the operating
 * system, which frees it however the process ends. A folder that cannot have a lock file needs none.
 */
export async function lockFolder(folder: string): Promise<FolderLock | null> {
  const { DatabaseSync } = await import("node:sqlite");
  let file: InstanceType<typeof DatabaseSync> | undefined;
  try {
    makeFolder(folder);
    file = new DatabaseSync(join(folder, "server.lock"));
    file.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    file?.close();
    return (error as { readonly errcode?: number }).errcode === busy ? null : { release: () => {} };
  }
  const held = file;
  return { release: () => held.close() };
}

/** SQLITE_BUSY. */
const busy = 5;
