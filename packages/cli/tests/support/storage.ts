import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Removes the write permission of a folder or file until the test ends. */
export function makeReadOnly(path: string, mode = 0o500): void {
  chmodSync(path, mode);
  onTestFinished(() => chmodSync(path, 0o700));
}

/** A way to run out of disk space. */
export interface FullDisk {
  /** Prefix of the command whose disk is full. */
  readonly under: readonly string[];
  /** The folder for its data. */
  readonly folder: string;
}

/**
 * Limits file sizes to `kibibytes`. Writes then fail as on a full disk, for any user and on any
 * file system.
 */
export const limitedFiles = (folder: string, kibibytes: number): FullDisk => ({
  under: ["sh", "-c", `ulimit -f ${kibibytes * 2} && exec "$@"`, "sh"],
  folder,
});

/** A small file system that is really full; null if this user may not create one. */
export function smallFileSystem(parent: string, kibibytes: number): FullDisk | null {
  const folder = mkdtempSync(join(parent, "small-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${kibibytes}k`, "tmpfs", folder], {
      stdio: "ignore",
    });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  onTestFinished(() => {
    execFileSync("umount", [folder]);
  });
  return { under: [], folder };
}

/** Limits the number of open files and connections. */
export const limitedDescriptors = (count: number): Pick<FullDisk, "under"> => ({
  under: ["sh", "-c", `ulimit -n ${count} && exec "$@"`, "sh"],
});
