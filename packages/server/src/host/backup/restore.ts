import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { open, rm } from "node:fs/promises";
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
  type TableRows,
} from "../../store/copy-database.ts";
import { StoreError } from "../../store/index.ts";
import type { DatabaseLimits } from "../../store/open-database.ts";
import { isPostgres } from "../open-store-at.ts";
import { BackupError, openArchive, type Archive } from "./archive.ts";
import {
  databaseFolder,
  filesFolder,
  fileUrlPath,
  keysPart,
  tablesFolder,
  type BackupSummary,
} from "./manifest.ts";

export interface RestoreParts {
  readonly url: string;
  readonly databaseLimits: DatabaseLimits;
  readonly path: string;
  /** Null: without files. */
  readonly blobs: Pick<BlobStore, "put" | "bytes"> | null;
  /** Called with the text of the key file, before the database is replaced. Absent: without keys. */
  readonly takeKeys?: (text: string) => void;
  /** Whether to replace a database that is not empty. */
  readonly replace: boolean;
  /** Called when all of the backup has been checked, before anything is written. */
  readonly beforeChange?: () => Promise<void>;
  readonly clock: Clock;
  /** Called with the part of the archive that has been checked, from 0 to 1. */
  readonly onProgress?: (part: number) => void;
}

const unpack = promisify(gunzip);

/** Reads all of a backup. Throws `BackupError` if it is not whole. */
export async function verifyBackup(
  path: string,
  onProgress?: (part: number) => void,
): Promise<BackupSummary> {
  const archive = await openArchive(path, onProgress);
  await archive.close();
  return summaryOf(archive, path);
}

/**
 * Replaces a database by that of a backup, after all of the backup has been checked. Files are added before, and no file
 * is removed. The database is replaced at once; if anything fails, it is unchanged. Throws `BackupError` and `StoreError`.
 */
export async function restore(parts: RestoreParts): Promise<BackupSummary> {
  const { url, path, blobs, takeKeys, replace, onProgress } = parts;
  const file = isPostgres(url) ? null : fileUrlPath(url);
  if (file !== null && existsSync(file) && !replace) throw new StoreError(`${file}: ${notEmpty}`);
  const archive = await openArchive(path, onProgress);
  try {
    const summary = summaryOf(archive, path);
    refuseNewerSchema(summary.schema);
    const engine = file === null ? "postgres" : "sqlite";
    if (summary.engine !== engine) {
      throw new BackupError(
        `the backup ${path} is of a ${nameOf(summary.engine)} database, and the target is ${nameOf(engine)}; choose another target with --database`,
      );
    }
    if (takeKeys !== undefined && !summary.keys) {
      throw new BackupError(`the backup ${path} has no keys; omit --with-keys`);
    }
    await parts.beforeChange?.();
    const addRest = async (): Promise<void> => {
      if (blobs !== null) await addFiles(archive, blobs);
      if (takeKeys !== undefined) await addKeys(archive, takeKeys);
    };
    if (file === null) {
      const { databaseLimits: limits, clock } = parts;
      await restoreTables({
        url,
        limits,
        resources,
        replace,
        now: clock.now(),
        rows: rowsOf(archive, addRest),
      });
    } else {
      await restoreFile(archive, file, addRest);
    }
    return summary;
  } finally {
    await archive.close();
  }
}

const nameOf = (engine: BackupSummary["engine"]): string =>
  engine === "sqlite" ? "SQLite" : "PostgreSQL";

function summaryOf({ manifest }: Archive, path: string): BackupSummary {
  const { parts: _, ...summary } = manifest as BackupSummary & { readonly parts: unknown };
  if (["sqlite", "postgres"].includes(summary.engine) && typeof summary.schema === "number") {
    return summary;
  }
  throw new BackupError(`the backup ${path} has a manifest that this version does not know`);
}

async function restoreFile(
  archive: Archive,
  path: string,
  addRest: () => Promise<void>,
): Promise<void> {
  const { checkSqlite, replaceSqlite } = await sqliteCopies();
  const draft = `${path}.${randomBytes(4).toString("hex")}.restored`;
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      for (const part of archive.parts.filter(({ name }) => name.startsWith(databaseFolder))) {
        await file.writeFile(await unpack(await buffer(archive.read(part))));
      }
      await file.sync();
    } finally {
      await file.close();
    }
    refuseNewerSchema(checkSqlite(draft));
    await addRest();
    await replaceSqlite(path, draft);
  } finally {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) {
      await rm(`${draft}${suffix}`, { force: true });
    }
  }
}

/** The rows of all tables; then does what comes before the commit. */
async function* rowsOf(archive: Archive, addRest: () => Promise<void>): AsyncGenerator<TableRows> {
  for (const part of archive.parts.filter(({ name }) => name.startsWith(tablesFolder))) {
    const [table = ""] = part.name.slice(tablesFolder.length).split("/");
    const text = (await unpack(await buffer(archive.read(part)))).toString();
    yield { table, lines: text.split("\n").filter((line) => line !== "") };
  }
  await addRest();
}

async function addFiles(archive: Archive, blobs: Pick<BlobStore, "put" | "bytes">): Promise<void> {
  for (const part of archive.parts.filter(({ name }) => name.startsWith(filesFolder))) {
    const sha256 = part.name.slice(filesFolder.length);
    if ((await blobs.bytes(sha256)) === part.bytes) continue;
    await blobs.put(archive.read(part));
  }
}

async function addKeys(archive: Archive, takeKeys: (text: string) => void): Promise<void> {
  const part = archive.parts.find(({ name }) => name === keysPart);
  if (part !== undefined) takeKeys((await buffer(archive.read(part))).toString());
}
