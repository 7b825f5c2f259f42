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
    // Plans must not depend on when it comes by; new tables are analyzed without it.
    "autovacuum=off",
  ]);
  project.provide("postgresUrl", url);
  return stop;
}
