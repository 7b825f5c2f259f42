import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { citusUrl } from "../../../../testing/platform.ts";
import { useCluster } from "./citus-cluster.ts";
import { folderInMemory, startPostgres, type PostgresServer } from "./start-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of a database from which tests may create other databases. */
    postgresUrl: string;
    /** A folder for files that may stay until the end of the run. */
    folder: string;
  }
}

/** One PostgreSQL and one folder for a run of all tests, removed afterwards. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await (citusUrl === undefined ? startOwn() : useCluster(citusUrl));
  project.provide("postgresUrl", url);
  const folder = mkdtempSync(join(tmpdir(), "secplat-tests-"));
  project.provide("folder", folder);
  return async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}

const startOwn = (): Promise<PostgresServer> =>
  startPostgres(folderInMemory(), [
    "max_connections=300",
    // The machine does not lose power during a test.
    "fsync=off",
    "full_page_writes=off",
    "synchronous_commit=off",
    // Replication and statistics are not needed.
    "wal_level=minimal",
    "max_wal_senders=0",
    // Creating a database begins a new file of the log, and 16 MB of zeros take more time than the copy.
    "wal_init_zero=off",
    "wal_recycle=off",
    "track_activities=off",
    "track_counts=off",
    "update_process_title=off",
    "jit=off",
    // Plans must not depend on when autovacuum runs; new tables are analysed without it.
    "autovacuum=off",
  ]);
