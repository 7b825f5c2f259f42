import { existsSync, mkdtempSync, realpathSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder in memory, if the system has one with enough space. Databases then do not wait for the disk. */
function parentFolder(): string {
  const inMemory = "/dev/shm";
  if (process.env["TMPDIR"] !== undefined || !existsSync(inMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize > 512 * 1_024 ** 2 ? inMemory : tmpdir();
}

/** A temporary folder, by default of the running test, which `finish` deletes at its end. */
export function temporaryFolder(finish: (cleanUp: () => void) => void = onTestFinished): string {
  // As processes started in it see it; on macOS the path of temporary folders has a link.
  const folder = mkdtempSync(join(realpathSync(parentFolder()), "secplat-cli-"));
  finish(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}
