import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/**
 * Words before a command that bind it to permissions. Root passes over them, unless the right to do so
 * is taken away first.
 */
export const boundByPermissions = (): readonly string[] =>
  process.getuid?.() === 0
    ? ["setpriv", "--inh-caps=-dac_override", "--bounding-set=-dac_override"]
    : [];

/** Takes the right to write from a folder or file until the test ends. */
export function makeReadOnly(path: string, mode = 0o500): void {
  chmodSync(path, mode);
  onTestFinished(() => chmodSync(path, 0o700));
}

/** A way in which storage runs out. */
export interface FullDisk {
  /** Words before the command whose disk is full. */
  readonly under: readonly string[];
  /** Where its data must lie. */
  readonly folder: string;
}

/**
 * No file may grow beyond `kibibytes`. Writes then fail as on a full disk, for any user and on any file
 * system.
 */
export const limitedFiles = (folder: string, kibibytes: number): FullDisk => ({
  under: ["sh", "-c", `ulimit -f ${kibibytes * 2} && exec "$@"`, "sh"],
  folder,
});

/** A file system of its own that is really full; null where this user may not make one. */
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
