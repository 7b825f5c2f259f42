import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * Deletes the entries of a folder whose names start with `prefix` and whose last change is before `before`.
 * Skips other entries. Does nothing if the folder does not exist.
 */
export async function clearFolder(folder: string, prefix: string, before: Date): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const path = join(folder, name);
    // oxlint-disable no-await-in-loop -- one after the other
    const found = await stat(path).catch(() => null);
    if (found === null || found.mtime >= before) continue;
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
    // oxlint-enable no-await-in-loop
  }
}
