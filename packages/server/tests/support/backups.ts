import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { onTestFinished } from "vitest";
import { ArchiveWriter } from "../../src/host/backup/archive.ts";
import { backUp, type BackUpParts } from "../../src/host/backup/back-up.ts";
import type { BackupSummary, SnapshotSummary } from "../../src/host/backup/manifest.ts";
import { restore, type RestoreParts } from "../../src/host/backup/restore.ts";
import { newestMigration } from "../../src/store/schema/migrate.ts";
import { ManualClock } from "./manual-clock.ts";

export function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "secplat-backup-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const clock = new ManualClock();

export async function newBackup(url: string, more: Partial<BackUpParts> = {}): Promise<string> {
  const path = join(temporary(), "backup.tar");
  const common = { databaseLimits: {}, blobs: null, readKeys: null, clock, version: "1.2.3" };
  await backUp({ url, path, ...common, ...more });
  return path;
}

export const restoring = (url: string, path: string, more: Partial<RestoreParts> = {}) =>
  restore({ url, path, databaseLimits: {}, blobs: null, replace: false, clock, ...more });

/** An archive with any parts and manifest. */
export async function craft(
  summary: Partial<BackupSummary> | Partial<SnapshotSummary>,
  parts: Readonly<Record<string, Buffer>> = {},
): Promise<string> {
  const path = join(temporary(), "crafted.tar");
  const writer = await ArchiveWriter.begin(path, clock.now());
  for (const [name, content] of Object.entries(parts)) await writer.add(name, content);
  await writer.finish({
    version: "9.9.9",
    created_at: clock.now().toISOString(),
    engine: "sqlite",
    schema: newestMigration,
    files: null,
    keys: false,
    ...summary,
  });
  return path;
}

export const copyOf = (content: Uint8Array): string => {
  const path = join(temporary(), "copy.tar");
  writeFileSync(path, content);
  return path;
};

const tableNames = {
  sqlite:
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and sql not like '%fts5%' and name not like '%words_%' order by name",
  postgres:
    "select tablename as name from pg_tables where schemaname = current_schema() order by tablename",
};

/** All rows of all tables. */
export async function contentOf(url: string): Promise<ReadonlyMap<string, readonly string[]>> {
  if (url.startsWith("sqlite:")) {
    const database = new DatabaseSync(url.slice("sqlite:".length));
    try {
      return await rowsOf(tableNames.sqlite, async (query) => database.prepare(query).all());
    } finally {
      database.close();
    }
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await rowsOf(tableNames.postgres, async (query) => (await client.query(query)).rows);
  } finally {
    await client.end();
  }
}

async function rowsOf(names: string, all: (query: string) => Promise<readonly unknown[]>) {
  const content = new Map<string, readonly string[]>();
  for (const { name } of (await all(names)) as readonly { name: string }[]) {
    const rows = await all(`select * from "${name}"`);
    // The restoring version creates the tables.
    const kept = name === "schema_migrations" ? rows.map(() => ({})) : rows;
    content.set(name, kept.map((row) => JSON.stringify(row)).toSorted());
  }
  return content;
}
