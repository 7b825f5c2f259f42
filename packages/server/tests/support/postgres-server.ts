import type { TestProject } from "vitest/node";
import { startPostgres } from "./start-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Of a database in which tests may make databases of their own. */
    postgresUrl: string;
  }
}

/** One PostgreSQL for a run of all tests, gone afterwards. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgres([
    "max_connections=300",
    // The machine does not lose power during a test.
    "fsync=off",
    "full_page_writes=off",
    "synchronous_commit=off",
    // Nobody copies the server or watches its sessions.
    "wal_level=minimal",
    "max_wal_senders=0",
    "track_activities=off",
    "track_counts=off",
    "update_process_title=off",
    "jit=off",
    // Plans must not depend on when it comes by; new tables are analyzed without it.
    "autovacuum=off",
  ]);
  project.provide("postgresUrl", url);
  return stop;
}
