import { createHash, randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

/** Prefix of the names of files and folders in `incoming`. */
export const incomingPrefix = "secplat-upload-";

/** A new name of a file in `incoming`. It contains the id of the process that writes the file. */
export const incomingName = (): string =>
  `${incomingPrefix}${processSpace()}-${process.pid}-${randomUUID()}`;

const namePattern = new RegExp(`^${incomingPrefix}(?<space>[0-9a-f]{16})-(?<pid>\\d+)-`);

/**
 * Deletes the entries of a folder whose names start with `prefix`, if nothing in them has changed since
 * `before` or the process that wrote them has ended. Does nothing if the folder does not exist.
 */
export async function clearInterrupted(
  folder: string,
  prefix: string,
  before: Date,
): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const path = join(folder, name);
    if (!hasEnded(name) && !(await isOlder(path, before))) continue;
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** False for an entry of another machine or container, whose processes are unknown here. */
function hasEnded(name: string): boolean {
  const { space, pid } = namePattern.exec(name)?.groups ?? {};
  if (space !== processSpace()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    // A process of another user also counts as running.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Writing to a file in a folder does not change the folder. */
async function isOlder(path: string, before: Date): Promise<boolean> {
  const inside = await readdir(path).catch(() => []);
  const stats = await Promise.all(
    [path, ...inside.map((name) => join(path, name))].map((each) => stat(each).catch(() => null)),
  );
  return stats.every((file) => file !== null && file.mtime < before);
}

let cachedSpace: string | undefined;

/**
 * Identifies the processes among which process ids are unique: those of one start of a machine, and of one
 * container. Several machines and containers may share the folder.
 */
function processSpace(): string {
  cachedSpace ??= createHash("sha256")
    .update([hostname(), ...linuxIdentity()].join("\n"))
    .digest("hex")
    .slice(0, 16);
  return cachedSpace;
}

function linuxIdentity(): readonly string[] {
  try {
    return [
      readFileSync("/proc/sys/kernel/random/boot_id", "utf8"),
      readlinkSync("/proc/self/ns/pid"),
    ];
  } catch {
    // Other systems have no containers that share a host name.
    return [];
  }
}
