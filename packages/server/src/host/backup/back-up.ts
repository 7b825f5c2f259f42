import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { BlobMissingError } from "../../blobs/errors.ts";
import type { BlobStore, ListedBlob } from "../../blobs/blob-store.ts";
import type { Clock } from "../../foundation/clock.ts";
import { resources } from "../../platform/resources.ts";
import {
  dumpTables,
  readContent,
  sqliteCopies,
  type TableRows,
} from "../../store/copy-database.ts";
import type { DatabaseLimits } from "../../store/open-database.ts";
import { isPostgres } from "../open-store-at.ts";
import { ArchiveWriter, BackupError, filesFolder, forTarget } from "./archive.ts";
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

export interface ArchiveParts {
  readonly url: string;
  readonly databaseLimits: DatabaseLimits;
  /** The new file. */
  readonly path: string;
  /** Null: without files. */
  readonly blobs: Pick<BlobStore, "list" | "open"> | null;
  /** Reads the key file. Null: without keys. */
  readonly readKeys: (() => string) | null;
  /** The version of the program. */
  readonly version: string;
  /** Called with what is being written, and the number of parts so far. */
  readonly onProgress?: (parts: number) => void;
}

export interface BackUpParts extends ArchiveParts {
  readonly clock: Clock;
}

/** Uncompressed bytes of the database in a part. */
const partBytes = 8 * 1024 * 1024;
const pack = promisify(gzip);

/**
 * Writes the database as of one instant to a new file, with the files of all tenants, while servers go on, and reads
 * it again. Throws `BackupError` and `StoreError`, and leaves nothing behind then.
 */
export function backUp(parts: BackUpParts): Promise<BackupSummary> {
  const { url, databaseLimits, version, clock } = parts;
  const now = clock.now();
  return writeArchive(parts, now, async (archive) => {
    const database: DatabasePart = isPostgres(url)
      ? {
          engine: "postgres",
          schema: await addTables(
            archive,
            dumpTables(url, resources, databaseLimits),
            packed,
            parts.onProgress,
          ),
        }
      : await addFile(archive, parts);
    return { version, created_at: now.toISOString(), ...database };
  });
}

/**
 * Writes the content of a database to a new file that has the same bytes for the same content on either engine.
 * Otherwise like `backUp`.
 */
export function exportSnapshot(parts: ArchiveParts): Promise<SnapshotSummary> {
  const { url, databaseLimits, version, onProgress } = parts;
  return writeArchive(parts, new Date(0), async (archive) => {
    const { schema, rows } = await readContent(url, resources, databaseLimits);
    await addTables(archive, rows, unpacked, onProgress);
    return { kind: "snapshot", version, schema };
  });
}

interface Included {
  readonly files: number | null;
  readonly keys: boolean;
}

async function writeArchive<Summary extends object>(
  { path, blobs, readKeys, onProgress }: ArchiveParts,
  at: Date,
  addDatabase: (archive: ArchiveWriter) => Promise<Summary>,
): Promise<Summary & Included> {
  const keysBefore = readKeys?.();
  const archive = await ArchiveWriter.begin(path, at);
  try {
    const database = await addDatabase(archive);
    // After the database: a file stays for a day after its record is gone.
    const files = blobs === null ? null : await addBlobs(archive, blobs, onProgress);
    if (readKeys !== null) {
      await archive.add(keysPart, Buffer.from(union(keysBefore ?? "", readKeys())));
    }
    const summary = { ...database, files, keys: readKeys !== null };
    await archive.finish(summary);
    return summary;
  } catch (error) {
    await archive.discard();
    throw error;
  }
}

/** A rotation during the backup adds a key and removes another; the database may need either. */
function union(before: string, after: string): string {
  const lines = after.split("\n");
  const removed = before.split("\n").filter((line) => !lines.includes(line));
  return removed.length === 0 ? after : `${after.trimEnd()}\n${removed.join("\n")}\n`;
}

type DatabasePart = Pick<BackupSummary, "engine" | "schema">;

async function addFile(
  archive: ArchiveWriter,
  { url, path, onProgress }: ArchiveParts,
): Promise<DatabasePart> {
  const { checkSqlite, copySqlite } = await sqliteCopies();
  const copy = draftOf(path, "copied");
  try {
    const schema = await forTarget(path, copy, async () => {
      await copySqlite(fileUrlPath(url), copy);
      return checkSqlite(copy);
    });
    let number = 0;
    for await (const chunk of createReadStream(copy, { highWaterMark: partBytes })) {
      number += 1;
      await archive.add(partName(databaseFolder, number), await pack(chunk as Buffer));
      onProgress?.(number);
    }
    return { engine: "sqlite", schema };
  } finally {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) {
      await rm(`${copy}${suffix}`, { force: true });
    }
  }
}

const partName = (folder: string, number: number, suffix = ".gz"): string =>
  `${folder}${String(number).padStart(6, "0")}${suffix}`;

/** How the rows of a part are written. */
interface RowsForm {
  readonly suffix: string;
  pack(text: Buffer): Promise<Buffer>;
}

const packed: RowsForm = { suffix: ".gz", pack: (text) => pack(text) };
/** What a library packs depends on its version and on the processor. */
const unpacked: RowsForm = { suffix: rowsSuffix, pack: async (text) => text };

/** Returns the number of the fixed schema; 0 without a table of it. */
async function addTables(
  archive: ArchiveWriter,
  tables: AsyncIterable<TableRows>,
  form: RowsForm,
  onProgress: ArchiveParts["onProgress"],
): Promise<number> {
  let schema = 0;
  let parts = 0;
  let rows = new Rows("");
  const flush = async (): Promise<void> => {
    if (rows.lines.length === 0) return;
    const content = await form.pack(Buffer.from(`${rows.lines.join("\n")}\n`));
    const name = partName(`${tablesFolder}${rows.table}/`, rows.number, form.suffix);
    await archive.add(name, content);
    parts += 1;
    onProgress?.(parts);
  };
  for await (const { table, lines } of tables) {
    if (rows.table !== table) {
      await flush();
      rows = new Rows(table);
    }
    for (const line of lines) {
      rows.add(line);
      if (table === "schema_migrations") {
        schema = Math.max(schema, (JSON.parse(line) as { number: number }).number);
      }
      // A tenant may stand before its parent, so all tenants are inserted at once.
      if (rows.bytes < partBytes || table === "tenants") continue;
      await flush();
      rows = new Rows(table, rows.number + 1);
    }
  }
  await flush();
  return schema;
}

/** Rows of a table for one part. */
class Rows {
  readonly table: string;
  readonly number: number;
  readonly lines: string[] = [];
  bytes = 0;

  constructor(table: string, number = 1) {
    this.table = table;
    this.number = number;
  }

  add(line: string): void {
    this.lines.push(line);
    this.bytes += Buffer.byteLength(line);
  }
}

const bySha256 = (left: ListedBlob, right: ListedBlob): number =>
  left.sha256 < right.sha256 ? -1 : 1;

async function addBlobs(
  archive: ArchiveWriter,
  blobs: Pick<BlobStore, "list" | "open">,
  onProgress: ArchiveParts["onProgress"],
): Promise<number> {
  let files = 0;
  // The stores list their files in different orders.
  const listed: ListedBlob[] = [];
  for await (const blob of blobs.list()) listed.push(blob);
  for (const { sha256, bytes } of listed.toSorted(bySha256)) {
    let content: AsyncIterable<Buffer>;
    try {
      content = await blobs.open(sha256);
    } catch (error) {
      // Deleted in the meantime, so no record of the copy refers to it.
      if (error instanceof BlobMissingError) continue;
      throw error;
    }
    const part = await archive.addStream(`${filesFolder}${sha256}`, bytes, content);
    if (part.sha256 !== sha256) {
      throw new BackupError(
        `the file ${sha256} is damaged in the object store; restore it from an earlier backup, or add --without-files`,
      );
    }
    files += 1;
    onProgress?.(files);
  }
  return files;
}
