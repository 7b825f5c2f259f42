import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { mkdir, open, rm, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { buffer } from "node:stream/consumers";
import type { BlobStore } from "../../blobs/blob-store.ts";
import type { Clock } from "../../foundation/clock.ts";
import { resources } from "../../platform/resources.ts";
import {
  notEmpty,
  refuseNewerSchema,
  restoreTables,
  sqliteCopies,
  type RestoreTables,
  type TableRows,
} from "../../store/copy-database.ts";
import { StoreError } from "../../store/index.ts";
import type { DatabaseLimits } from "../../store/open-database.ts";
import { isPostgres } from "../open-store-at.ts";
import {
  BackupError,
  cannotWrite,
  filesFolder,
  forTarget,
  openArchive,
  type Archive,
  type Part,
} from "./archive.ts";
import { draftOf } from "./drafts.ts";
import {
  databaseFolder,
  fileUrlPath,
  keysPart,
  rowsSuffix,
  tablesFolder,
  type BackupSummary,
  type SnapshotSummary,
} from "./manifest.ts";

type RestoredBlobs = Pick<BlobStore, "put" | "bytes" | "open" | "delete">;

export interface RestoreParts {
  readonly url: string;
  readonly databaseLimits: DatabaseLimits;
  readonly path: string;
  /** Null: without files. */
  readonly blobs: RestoredBlobs | null;
  /** Called with the text of the key file, before the database is replaced. Absent: without keys. */
  readonly takeKeys?: (text: string) => void;
  /** Whether to replace a database that is not empty. */
  readonly replace: boolean;
  /** Called when all of the backup has been checked, before anything is written. */
  readonly beforeChange?: () => Promise<void>;
  readonly clock: Clock;
  /** Called with the part of the archive that has been checked, from 0 to 1. */
  readonly onProgress?: (part: number) => void;
  /** Interrupts the restore before the database is replaced. */
  readonly signal?: AbortSignal;
}

const gunzipped = promisify(gunzip);
/** Larger than any part with whole records. */
const largestPart = 1024 ** 3;

async function unpack(archive: Archive, part: Part): Promise<Buffer> {
  const packed = await buffer(archive.read(part));
  if (part.name.endsWith(rowsSuffix)) return packed;
  try {
    return await gunzipped(packed, { maxOutputLength: largestPart });
  } catch (error) {
    throw archive.damaged(`${part.name} cannot be unpacked (${(error as Error).message})`);
  }
}

/** The parts of a folder. Throws the reason of the signal between two of them. */
function* partsIn(archive: Archive, folder: string, signal?: AbortSignal): Iterable<Part> {
  for (const part of archive.parts) {
    signal?.throwIfAborted();
    if (part.name.startsWith(folder)) yield part;
  }
}

/** Reads all of a backup or a snapshot. Throws `BackupError` if it is not whole. */
export async function verifyBackup(
  path: string,
  onProgress?: (part: number) => void,
): Promise<BackupSummary | SnapshotSummary> {
  const archive = await openArchive(path, onProgress);
  await archive.close();
  return summaryOf(archive, path);
}

/**
 * Replaces a database by that of a backup, after all of the backup has been checked. Files are added before, and no file
 * is removed. The database is replaced at once; if anything fails, it is unchanged. Throws `BackupError` and `StoreError`.
 */
export const restore = (parts: RestoreParts): Promise<BackupSummary> =>
  restoreArchive(parts, (summary, engine) => {
    const { path } = parts;
    if ("kind" in summary) {
      throw new BackupError(
        `${path} is a snapshot, not a backup; load it with: secplat snapshot import`,
      );
    }
    if (summary.engine !== engine) {
      throw new BackupError(
        `the backup ${path} is of a ${nameOf(summary.engine)} database, and the target is ${nameOf(engine)}; choose another target with --database`,
      );
    }
    return summary;
  });

/** Fills a database of either engine with a snapshot. Otherwise like `restore`. */
export const importSnapshot = (parts: RestoreParts): Promise<SnapshotSummary> =>
  restoreArchive(parts, (summary) => {
    if ("kind" in summary) return summary;
    throw new BackupError(
      `${parts.path} is a backup of a ${nameOf(summary.engine)} database, not a snapshot; restore it with: secplat restore`,
    );
  });

async function restoreArchive<Summary extends BackupSummary | SnapshotSummary>(
  parts: RestoreParts,
  check: (summary: BackupSummary | SnapshotSummary, engine: BackupSummary["engine"]) => Summary,
): Promise<Summary> {
  const { url, path, blobs, takeKeys, replace, onProgress, signal } = parts;
  const file = isPostgres(url) ? null : resolved(fileUrlPath(url));
  if (file !== null && existsSync(file) && (await isOwn(file)) && !replace) {
    throw new StoreError(`${file}: ${notEmpty}`);
  }
  const archive = await openArchive(path, onProgress);
  try {
    const summary = check(summaryOf(archive, path), file === null ? "postgres" : "sqlite");
    const areContent = "kind" in summary;
    const kind = areContent ? "snapshot" : "backup";
    refuseNewerSchema(summary.schema, kind);
    if (takeKeys !== undefined && !summary.keys) {
      throw new BackupError(`the ${kind} ${path} has no keys; omit --with-keys`);
    }
    const keys = archive.parts.find(({ name }) => name === keysPart);
    if (summary.keys !== (keys !== undefined)) {
      throw archive.damaged("its keys are not those of its manifest");
    }
    await parts.beforeChange?.();
    const addRest = async (): Promise<void> => {
      const added: string[] = [];
      try {
        if (blobs !== null) await addFiles(archive, blobs, { signal, added });
        const text = keys === undefined ? "" : (await buffer(archive.read(keys))).toString();
        signal?.throwIfAborted();
        if (keys !== undefined) takeKeys?.(text);
      } catch (error) {
        // No record refers to them, as the database is unchanged.
        for (const sha256 of added) await blobs?.delete(sha256);
        throw error;
      }
    };
    const { databaseLimits: limits, clock } = parts;
    const fill = (target: string, more: Pick<RestoreTables, "replace" | "rows">) =>
      restoreTables({ url: target, limits, resources, now: clock.now(), areContent, ...more });
    if (file === null) {
      await fill(url, { replace, rows: rowsOf(archive, addRest, signal) });
    } else {
      const write = areContent
        ? async (draft: string) => {
            const rows = rowsOf(archive, async () => undefined, signal);
            await mkdir(dirname(draft), { recursive: true });
            await (await newFile(draft)).close();
            await fill(`sqlite:${draft}`, { replace: false, rows });
            (await sqliteCopies()).emptyLog(draft);
          }
        : (draft: string) => writeDatabase(archive, draft, signal);
      await restoreFile({ archive, path: file, write, addRest });
    }
    return summary;
  } finally {
    await archive.close();
  }
}

const isOwn = async (file: string): Promise<boolean> => (await sqliteCopies()).isOwnFile(file);

/** A link to a database stays one: what it leads to is replaced. */
const resolved = (path: string): string => (existsSync(path) ? realpathSync(path) : path);

const nameOf = (engine: BackupSummary["engine"]): string =>
  engine === "sqlite" ? "SQLite" : "PostgreSQL";

function summaryOf({ manifest }: Archive, path: string): BackupSummary | SnapshotSummary {
  const { parts: _, ...summary } = manifest as (BackupSummary | SnapshotSummary) & {
    readonly parts: unknown;
  };
  const isKnown =
    "kind" in summary
      ? summary.kind === "snapshot"
      : ["sqlite", "postgres"].includes(summary.engine);
  if (isKnown && typeof summary.schema === "number") return summary;
  throw new BackupError(`the backup ${path} has a manifest that this version does not know`);
}

async function restoreFile({
  archive,
  path,
  write,
  addRest,
}: {
  readonly archive: Archive;
  readonly path: string;
  /** Writes the database to a new file. */
  readonly write: (draft: string) => Promise<void>;
  readonly addRest: () => Promise<void>;
}): Promise<void> {
  const { checkSqlite, replaceSqlite } = await sqliteCopies();
  const draft = draftOf(path, "restored");
  try {
    await forTarget(path, draft, () => write(draft));
    refuseNewerSchema(checked(archive, () => checkSqlite(draft)));
    await addRest();
    await replaceSqlite(path, draft);
  } finally {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) {
      await rm(`${draft}${suffix}`, { force: true });
    }
  }
}

/** Only this user may read it, and the files that SQLite adds to it. */
const newFile = (path: string): Promise<FileHandle> => written(path, open(path, "wx", 0o600));

const written = <Result>(path: string, work: Promise<Result>): Promise<Result> =>
  work.catch((error: unknown) => {
    throw cannotWrite(path, error);
  });

async function writeDatabase(
  archive: Archive,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const file = await newFile(path);
  try {
    for (const part of partsIn(archive, databaseFolder, signal)) {
      const content = await unpack(archive, part);
      await written(path, file.writeFile(content));
    }
    await written(path, file.sync());
  } finally {
    await file.close();
  }
}

/** The database in an archive that is whole was no database when it was written. */
function checked<Result>(archive: Archive, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw archive.damaged(`its database cannot be read (${(error as Error).message})`);
  }
}

/** The rows of all tables; then does what comes before the commit. */
async function* rowsOf(
  archive: Archive,
  addRest: () => Promise<void>,
  signal: AbortSignal | undefined,
): AsyncGenerator<TableRows> {
  for (const part of partsIn(archive, tablesFolder, signal)) {
    const [table = ""] = part.name.slice(tablesFolder.length).split("/");
    const text = (await unpack(archive, part)).toString();
    yield { table, lines: text.split("\n").filter((line) => line !== "") };
  }
  await addRest();
}

/** Adds the files that the store lacks, or has with other content. `added` gets the hashes of those that it lacks. */
async function addFiles(
  archive: Archive,
  blobs: RestoredBlobs,
  { signal, added }: { readonly signal: AbortSignal | undefined; readonly added: string[] },
): Promise<void> {
  for (const part of partsIn(archive, filesFolder, signal)) {
    const bytes = await blobs.bytes(part.sha256);
    if (bytes === part.bytes && (await isWhole(blobs, part))) continue;
    if (bytes === null) added.push(part.sha256);
    await blobs.put(archive.read(part));
  }
}

async function isWhole(blobs: RestoredBlobs, { sha256 }: Part): Promise<boolean> {
  const hash = createHash("sha256");
  for await (const chunk of await blobs.open(sha256)) hash.update(chunk as Buffer);
  return hash.digest("hex") === sha256;
}
