import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sql } from "../src/store/dialects/sql.ts";
import { openDatabase, type DatabaseOptions } from "../src/store/open-database.ts";
import { temporaryFolder } from "./support/server-process.ts";

/** The value of `pragma synchronous` with which each kind of transaction commits. */
async function synchronous(options: Partial<DatabaseOptions>): Promise<readonly unknown[]> {
  const database = await openDatabase({
    url: `sqlite:${join(temporaryFolder(), "test.db")}`,
    ...options,
  });
  onTestFinished(() => database.close());
  const ask = sql<{ synchronous: number }>`pragma synchronous`;
  const results = [
    await database.asOwner((connection) => connection.all(ask)),
    await database.write(null, (connection) => connection.all(ask)),
    // These run in a thread, on a connection of its own.
    await database.write(null, (connection) => connection.all(ask), { large: true }),
  ];
  return results.map(([row]) => row?.synchronous);
}

const [off, full] = [0, 2];

test("a commit waits for the disk", async () => {
  expect(await synchronous({})).toEqual([full, full, full]);
  expect(await synchronous({ durable: true })).toEqual([full, full, full]);
});

test("a commit waits for no disk if nothing needs to stay", async () => {
  expect(await synchronous({ durable: false })).toEqual([off, off, off]);
  expect(await synchronous({ url: "sqlite::memory:" })).toEqual([off, off, off]);
});
