import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { BlobMissingError } from "../../blobs/errors.ts";
import type { BlobStore } from "../../blobs/blob-store.ts";
import type { Clock } from "../../foundation/clock.ts";
import { resources } from "../../platform/resources.ts";
import { dumpTables, sqliteCopies } from "../../store/copy-database.ts";
import type { DatabaseLimits } from "../../store/open-database.ts";
import { isPostgres } from "../open-store-at.ts";
import { ArchiveWriter, BackupError, filesFolder } from "./archive.ts";
import {
  databaseFolder,
  fileUrlPath,
  keysPart,
  tablesFolder,
  type BackupSummary,
} from "./manifest.ts";

export interface BackUpParts {
  readonly url: string;
  readonly databaseLimits: DatabaseLimits;
  /** The new file. */
  readonly path: string;
  /** Null: without files. */
  readonly blobs: Pick<BlobStore, "list" | "open"> | null;
  /** Reads the key file. Null: without keys. */
  readonly readKeys: (() => string) | null;
  readonly clock: Clock;
  /** The version of the program. */
  readonly version: string;
  /** Called with what is being written, and the number of parts so far. */
  readonly onProgress?: (parts: number) => void;
}

/** Uncompressed bytes of the database in a part. */
const partBytes = 8 * 1024 * 1024;
const pack = promisify(gzip);

/**
 * Writes the database as of one instant to a new file, with the files of all tenants, while servers go on, and reads
 * it again. Throws `BackupError` and `StoreError`, and leaves nothing behind then.
 */
export async function backUp(parts: BackUpParts): Promise<BackupSummary> {
  const { path, blobs, readKeys, clock, version, onProgress } = parts;
  const now = clock.now();
  const keysBefore = readKeys?.();
  const archive = await ArchiveWriter.begin(path, now);
  try {
    const database = isPostgres(parts.url)
      ? await addTables(archive, parts)
      : await addFile(archive, parts);
    // After the database: a file stays for a day after its record is gone.
    const files = blobs === null ? null : await addBlobs(archive, blobs, onProgress);
    if (keysBefore !== undefined && readKeys !== null) {
      await archive.add(keysPart, Buffer.from(union(keysBefore, readKeys())));
    }
    const summary: BackupSummary = {
      version,
      created_at: now.toISOString(),
      ...database,
      files,
      keys: readKeys !== null,
    };
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
  { url, path, onProgress }: BackUpParts,
): Promise<DatabasePart> {
  const { checkSqlite, copySqlite } = await sqliteCopies();
  const copy = `${path}.${randomBytes(4).toString("hex")}.sqlite`;
  try {
    await copySqlite(fileUrlPath(url), copy);
    const schema = checkSqlite(copy);
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

const partName = (folder: string, number: number): string =>
  `${folder}${String(number).padStart(6, "0")}.gz`;

async function addTables(
  archive: ArchiveWriter,
  { url, databaseLimits, onProgress }: BackUpParts,
): Promise<DatabasePart> {
  let schema = 0;
  let parts = 0;
  let rows = new Rows("");
  const flush = async (): Promise<void> => {
    if (rows.lines.length === 0) return;
    const content = await pack(Buffer.from(`${rows.lines.join("\n")}\n`));
    await archive.add(partName(`${tablesFolder}${rows.table}/`, rows.number), content);
    parts += 1;
    onProgress?.(parts);
  };
  for await (const { table, lines } of dumpTables(url, resources, databaseLimits)) {
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
  return { engine: "postgres", schema };
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

async function addBlobs(
  archive: ArchiveWriter,
  blobs: Pick<BlobStore, "list" | "open">,
  onProgress: BackUpParts["onProgress"],
): Promise<number> {
  let files = 0;
  for await (const { sha256, bytes } of blobs.list()) {
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
