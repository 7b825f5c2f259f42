import { closeSync, fsyncSync, openSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Some file systems refuse it, and a folder that this user may write but not read cannot be opened. */
const refusals: ReadonlySet<unknown> = new Set(["EACCES", "EBADF", "EINVAL", "ENOTSUP"]);

function ignoreRefusal(error: unknown): void {
  if (!refusals.has((error as NodeJS.ErrnoException).code)) throw error;
}

/**
 * Waits until the names in a folder are on the disk, where the system can do that. Without it, a loss of power may undo a
 * rename. Windows neither supports nor needs this.
 */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  try {
    const folder = await open(path, "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (error) {
    ignoreRefusal(error);
  }
}

/** The same, while nothing else runs. */
export function syncFolderNow(path: string): void {
  if (process.platform === "win32") return;
  try {
    const folder = openSync(path, "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    ignoreRefusal(error);
  }
}

/** Creates a folder that only this user can read, and those above it that are missing. Their names are then on the disk. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  // Node returns a relative path for a relative one, and "." has no folder above it.
  const top = dirname(resolve(first));
  for (let each = resolve(path); each !== top && each !== dirname(each); each = dirname(each)) {
    await syncFolder(dirname(each));
  }
}
