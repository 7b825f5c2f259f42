import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";

/** Containers may share a folder, but not their process ids. */
const machine = hostname().replaceAll(/[^\w.]/g, "_");
const prefix = `secplat-memory-${machine}-`;
/** The end of a folder's name: the process id and random characters. */
const ending = /-(\d+)-\w+$/;

interface TemporaryFolder {
  readonly folder: string;
  readonly remove: () => void;
}

/**
 * Creates a folder for the files of this process, which is removed at its end. Removes the folders of processes
 * that were killed.
 */
export function temporaryFolder(parent = tmpdir()): TemporaryFolder {
  for (const entry of readdirSync(parent)) {
    const owner = entry.startsWith(prefix) ? ending.exec(entry)?.[1] : undefined;
    if (owner !== undefined && !isRunning(Number(owner))) removeFolder(join(parent, entry));
  }
  const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  if (folders.size === 0) process.once("exit", removeFolders);
  folders.add(folder);
  return {
    folder,
    remove: () => {
      folders.delete(folder);
      if (folders.size === 0) process.off("exit", removeFolders);
      removeFolder(folder);
    },
  };
}

/** Folders to remove at the end of the process. */
const folders = new Set<string>();

function removeFolders(): void {
  for (const folder of folders) removeFolder(folder);
}

const removeFolder = (folder: string): void => {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It may belong to another user.
  }
};

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // A process of another user also counts as running.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
