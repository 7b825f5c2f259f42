/** @module-tag exhaustive */
import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, StatementSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import {
  logBytes,
  SqliteCheckpoints,
} from "../src/store/dialects/sqlite-node/sqlite-checkpoints.ts";
import { sql } from "../src/store/dialects/sql.ts";
import { openDatabase } from "../src/store/open-database.ts";
import { Thread } from "../src/threads/thread.ts";
import { temporaryFolder } from "./support/server-process.ts";

const patience = { timeout: 60_000, interval: 20 };
const tableOf = "create table blobs (content blob)";
/** Fills more than the log may contain. */
const large = `insert into blobs values (randomblob(${logBytes + 2 ** 20}))`;
const small = "insert into blobs values (randomblob(10))";

const newFile = (): string => join(temporaryFolder(), "test.db");
const sizeOf = (path: string): number => statSync(path).size;

afterEach(() => void vi.restoreAllMocks());

test("a commit leaves the checkpoint of a large log to a thread", async () => {
  const path = newFile();
  const database = await openDatabase({ url: `sqlite:${path}` });
  const run = StatementSync.prototype.run;
  const sizes: number[] = [];
  vi.spyOn(StatementSync.prototype, "run").mockImplementation(function (
    this: StatementSync,
    ...parameters: Parameters<typeof run>
  ) {
    const result = run.apply(this, parameters);
    if (this.sourceSQL === "commit") sizes.push(sizeOf(path));
    return result;
  });
  const commit = (text: string): Promise<void> =>
    database.asOwner((connection) => connection.send(sql.raw(text)));
  await commit(tableOf);
  await commit(large);
  expect(sizes).toHaveLength(2);
  expect(sizes.at(-1)).toBeLessThan(logBytes);
  await vi.waitFor(() => expect(sizeOf(path)).toBeGreaterThan(logBytes), patience);
  // The next commits start the log again.
  await vi.waitFor(async () => {
    await commit(small);
    expect(sizeOf(`${path}-wal`)).toBe(logBytes);
  }, patience);
  await database.close();
  const again = new DatabaseSync(path);
  expect(again.prepare("pragma integrity_check").get()).toMatchObject({ integrity_check: "ok" });
  again.close();
});

test("a commit waits while the thread copies the last pages, which others wrote during a checkpoint", async () => {
  const path = newFile();
  const [writer, reader] = [new DatabaseSync(path), new DatabaseSync(path)];
  writer.exec(
    `pragma journal_mode = wal; pragma wal_autocheckpoint = 0;
     pragma journal_size_limit = ${logBytes}; ${tableOf}; ${large}`,
  );
  // The thread cannot copy what follows this read.
  reader.exec("begin; select count(*) from blobs");
  writer.exec(small);
  const call = vi.spyOn(Thread.prototype, "call");
  const finish = vi.fn<() => void>();
  const checkpoints = new SqliteCheckpoints({ path, pragmas: "" }, finish);
  await checkpoints.committed();
  await call.mock.results[0]?.value;
  await setImmediate();
  reader.exec("commit");
  writer.exec(small);
  await checkpoints.committed();
  expect(call).toHaveBeenCalledTimes(2);
  expect(sizeOf(`${path}-wal`)).toBeGreaterThan(logBytes);
  writer.exec(small);
  expect(sizeOf(`${path}-wal`)).toBe(logBytes);
  expect(finish).not.toHaveBeenCalled();
  await checkpoints.close();
  reader.close();
  writer.close();
});

test("the thread copies a log that begins anew with a larger commit", async () => {
  const path = newFile();
  const writer = new DatabaseSync(path);
  writer.exec(
    `pragma journal_mode = wal; pragma wal_autocheckpoint = 0;
     pragma journal_size_limit = ${logBytes}; ${tableOf}; ${large}`,
  );
  const call = vi.spyOn(Thread.prototype, "call");
  const finish = vi.fn<() => void>();
  const checkpoints = new SqliteCheckpoints({ path, pragmas: "" }, finish);
  void checkpoints.committed();
  expect(call).toHaveBeenCalledOnce();
  await call.mock.results[0]?.value;
  await setImmediate();
  writer.exec(`insert into blobs values (randomblob(${logBytes + 2 ** 21}))`);
  void checkpoints.committed();
  expect(finish).not.toHaveBeenCalled();
  expect(call).toHaveBeenCalledTimes(2);
  await checkpoints.close();
  writer.close();
});

test("a checkpoint that fails is made later", async () => {
  const path = newFile();
  const writer = new DatabaseSync(path);
  writer.exec(
    `pragma journal_mode = wal; pragma wal_autocheckpoint = 0;
     pragma journal_size_limit = ${logBytes}; ${tableOf}; ${large}`,
  );
  // The thread cannot work before this table exists.
  const checkpoints = new SqliteCheckpoints({ path, pragmas: "select * from missing" }, () => {
    throw new Error("not now");
  });
  void checkpoints.committed();
  writer.exec("create table missing (name text)");
  await vi.waitFor(() => {
    writer.exec("insert into blobs values (randomblob(5000000))");
    void checkpoints.committed();
    expect(sizeOf(path)).toBeGreaterThan(logBytes);
  }, patience);
  await checkpoints.close();
  writer.close();
});
