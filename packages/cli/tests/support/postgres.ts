import { randomBytes } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import {
  folderInMemory,
  startPostgres,
  type PostgresServer,
} from "../../../server/tests/support/start-postgres.ts";
import { administer, connectAsOwner } from "../../../server/tests/support/raw-sql.ts";

/** A PostgreSQL for the tests of a file. Returns a function that creates a database and returns its URL. */
export function withPostgres(): (options?: string) => Promise<string> {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    server = await startPostgres(folderInMemory(), [
      "fsync=off",
      "full_page_writes=off",
      "synchronous_commit=off",
      "autovacuum=off",
    ]);
  });
  afterAll(() => server?.stop());
  return async (options = "") => {
    const url = server?.url ?? "";
    const name = `test_${randomBytes(8).toString("hex")}`;
    await administer(url, `create database ${name} template template0 ${options}`);
    return url.replace(/[^/]+$/, name);
  };
}

export { administer, connectAsOwner };
