import { randomBytes } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** An archive, the copy of the database that goes into it, or a restored database. */
type DraftKind = "part" | "copied" | "restored";

const draftName = /\.[0-9a-f]{8}\.(?:part|copied|restored)(?:-wal|-shm|-journal)?$/;
const abandonedMilliseconds = 3_600_000;

/** A new name for what becomes the file, or a part of it, once it is complete. */
export const draftOf = (path: string, kind: DraftKind): string =>
  `${path}.${randomBytes(4).toString("hex")}.${kind}`;

/**
 * The drafts in the folder of a file that nobody has written to for an hour: a command that is killed cannot delete its
 * own.
 */
export async function abandonedDrafts(path: string, now: Date): Promise<readonly string[]> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  const abandoned: string[] = [];
  for (const name of names.filter((each) => draftName.test(each)).toSorted()) {
    const draft = join(folder, name);
    const changed = (await stat(draft).catch(() => null))?.mtimeMs ?? Infinity;
    if (changed < now.getTime() - abandonedMilliseconds) abandoned.push(draft);
  }
  return abandoned;
}
