import { statSync, symlinkSync, writeFileSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { devNull } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createClient } from "../../client/src/index.ts";
import { testWith } from "../../../testing/platform.ts";
import { createLogger, serve } from "../src/index.ts";
import { sql } from "../src/store/dialects/sql.ts";
import { logBytes } from "../src/store/dialects/sqlite-node/sqlite-checkpoints.ts";
import { sqliteDatabase } from "../src/store/dialects/sqlite/sqlite-database.ts";
import { nodeDriver } from "../src/store/dialects/sqlite-node/node-driver.ts";
import { StoreOpenFilesError } from "../src/store/index.ts";
import { openDatabase, type DatabaseOptions } from "../src/store/open-database.ts";
import { temporaryFolder } from "./support/server-process.ts";

async function openNew(options: Partial<DatabaseOptions> = {}) {
  const url = `sqlite:${join(temporaryFolder(), "test.db")}`;
  const database = await openDatabase({ url, ...options });
  onTestFinished(() => database.close());
  return database;
}

/** Replaces the wait for the disk of all files. */
async function replaceSync() {
  const handle = await open(devNull);
  const files = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const sync = vi.spyOn(files, "datasync");
  onTestFinished(() => sync.mockRestore());
  return sync;
}

/** The value of `pragma synchronous` with which each kind of transaction commits. */
async function synchronous(options: Partial<DatabaseOptions>): Promise<readonly unknown[]> {
  const database = await openNew(options);
  const ask = sql<{ synchronous: number }>`pragma synchronous`;
  const results = [
    await database.asOwner((connection) => connection.all(ask)),
    await database.write(null, (connection) => connection.all(ask)),
    // These run in a thread, on a connection of its own.
    await database.write(null, (connection) => connection.all(ask), { large: true }),
  ];
  return results.map(([row]) => row?.synchronous);
}

const [off, normal, full] = [0, 1, 2];

test("a commit of a thread waits for the disk, and one of the event loop leaves that to the log", async () => {
  expect(await synchronous({})).toEqual([normal, normal, full]);
  expect(await synchronous({ durable: true })).toEqual([normal, normal, full]);
});

test("a write is acknowledged once its log is on the disk; until then, reads go on", async () => {
  const database = await openNew();
  await database.asOwner((connection) => connection.run("create table kept (value integer)"));
  const sync = await replaceSync();
  const disk = Promise.withResolvers<void>();
  sync.mockImplementation(() => disk.promise);
  let isAcknowledged = false;
  const write = database
    .write(null, (connection) => connection.send(sql`insert into kept values (1)`))
    .then(() => (isAcknowledged = true));
  await vi.waitFor(() => expect(sync).toHaveBeenCalledTimes(1));
  const count = sql<{ count: number }>`select count(*) as count from kept`;
  expect(await database.read([], (connection) => connection.all(count))).toEqual([{ count: 1 }]);
  expect(isAcknowledged).toBe(false);
  disk.resolve();
  await write;
  expect(isAcknowledged).toBe(true);
});

testWith("symbolic links")("the log of a database behind a symbolic link is found", async () => {
  const folder = temporaryFolder();
  const [file, link] = [join(folder, "file.db"), join(folder, "link.db")];
  writeFileSync(file, "");
  symlinkSync(file, link);
  const database = await openDatabase({ url: `sqlite:${link}` });
  onTestFinished(() => database.close());
  const sync = await replaceSync();
  await database.asOwner((connection) => connection.run("create table kept (content blob)"));
  expect(sync).toHaveBeenCalledTimes(1);
  await database.write(null, (connection) =>
    connection.send(sql`insert into kept values (randomblob(${logBytes + 2 ** 20}))`),
  );
  // A checkpoint copies the log into the file.
  await expect.poll(() => statSync(file).size).toBeGreaterThan(logBytes);
});

test("nothing is written while the log cannot be opened", async () => {
  let isAway = true;
  const database = sqliteDatabase({
    driver: nodeDriver,
    path: join(temporaryFolder(), "test.db"),
    journal: "pragma journal_mode = wal",
    log: {
      ready: async () => {
        if (isAway) throw new StoreOpenFilesError("too many open files");
      },
      sync: async () => undefined,
      check: () => undefined,
      close: async () => undefined,
    },
  });
  onTestFinished(() => database.close());
  const createTable = (name: string): Promise<void> =>
    database.asOwner((connection) => connection.run(`create table ${name} (value integer)`));
  await expect(createTable("first")).rejects.toThrow("too many open files");
  isAway = false;
  await createTable("second");
  const tables = sql<{ name: string }>`select name from sqlite_master`;
  expect(await database.read([], (connection) => connection.all(tables))).toEqual([
    { name: "second" },
  ]);
});

test("after the disk has failed, no write is acknowledged", async () => {
  const messages: string[] = [];
  const logger = createLogger("error", { write: (line) => void messages.push(line) });
  const platform = await serve({
    database: `sqlite:${join(temporaryFolder(), "test.db")}`,
    logger,
  });
  onTestFinished(() => platform.close());
  const { clientId, clientSecret } = await platform.newCredentials();
  const client = createClient({
    baseUrl: platform.url,
    clientId,
    clientSecret,
    retries: 0,
  });
  const create = async (value: string): Promise<number> => {
    const indicator = { type: "domain", value, action: "no_action" } as const;
    const { status } = await client.ioc.createIndicators.raw({
      body: { indicators: [{ ...indicator, platforms: ["linux"], applied_globally: true }] },
    });
    return status;
  };
  expect(await create("before.example")).toBe(201);
  const sync = await replaceSync();
  const noSpace = "ENOSPC: no space left on device, fdatasync";
  sync.mockRejectedValueOnce(Object.assign(new Error(noSpace), { code: "ENOSPC" }));
  expect(await create("first.example")).toBe(500);
  expect(await create("second.example")).toBe(500);
  expect(messages.join("")).toContain(noSpace);
  expect(messages.join("")).toContain("No further change is accepted");
  expect((await fetch(`${platform.url}/readyz`)).status).toBe(503);
});

test("a commit waits for no disk if nothing needs to stay", async () => {
  expect(await synchronous({ durable: false })).toEqual([off, off, off]);
  expect(await synchronous({ url: "sqlite::memory:" })).toEqual([off, off, off]);
  const sync = await replaceSync();
  const database = await openNew({ durable: false });
  await database.asOwner((connection) => connection.run("create table kept (value integer)"));
  expect(sync).not.toHaveBeenCalled();
});
