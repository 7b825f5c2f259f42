import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { resources } from "../src/platform/resources.ts";
import { nodeDriver } from "../src/store/dialects/sqlite-node/node-driver.ts";
import { sql } from "../src/store/dialects/sql.ts";
import { openStore, sqliteDatabase, type SqliteDriver } from "../src/store/index.ts";
import { createBareTenant, describeTenant } from "./support/bare-tenant.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { temporaryFolder } from "./support/server-process.ts";

/** A driver that counts its statements. */
function countingDriver() {
  const counts = { prepared: 0, closed: 0, handles: 0 };
  const driver: SqliteDriver = {
    open: (path, options) => {
      const handle = nodeDriver.open(path, options);
      counts.handles += 1;
      return {
        exec: (script) => handle.exec(script),
        function: (name, implementation) => handle.function(name, implementation),
        get inTransaction() {
          return handle.inTransaction;
        },
        prepare: (text) => {
          const statement = handle.prepare(text);
          counts.prepared += 1;
          return {
            all: (parameters) => statement.all(parameters),
            tuples: (parameters) => statement.tuples(parameters),
            run: (parameters) => statement.run(parameters),
            close: () => {
              counts.closed += 1;
              statement.close();
            },
          };
        },
        close: () => {
          counts.handles -= 1;
          handle.close();
        },
      };
    },
  };
  return { driver, counts };
}

const journal = "pragma journal_mode = wal; pragma synchronous = off";
const newPath = (): string => join(temporaryFolder(), "test.db");

test("a store works over any driver, without threads", async () => {
  const { driver, counts } = countingDriver();
  const clock = new ManualClock();
  const database = sqliteDatabase({ driver, path: newPath(), journal });
  const store = await openStore({ database, clock, resources });
  const tenant = describeTenant(clock, "first");
  await createBareTenant(store, tenant);
  expect(await store.directory.tenant(tenant.cid)).toMatchObject({ name: "first" });
  expect(await store.ready()).toBe("ready");
  await store.close();
  expect(counts.handles).toBe(0);
});

test("statements that are not kept are closed", async () => {
  const { driver, counts } = countingDriver();
  const database = sqliteDatabase({ driver, path: newPath(), journal });
  onTestFinished(() => database.close());
  const run = (text: string): Promise<readonly unknown[]> =>
    database.read([], (connection) => connection.tuples(sql.raw<readonly unknown[]>(text)));
  const { prepared, closed } = counts;
  for (let number = 0; number < 600; number += 1) {
    expect(await run(`select ${number}`)).toEqual([[number]]);
  }
  expect(counts.prepared - prepared).toBe(600);
  expect(counts.closed - closed).toBe(100);
  await run(`select 1 -- ${"x".repeat(30_000)}`);
  expect(counts.closed - closed).toBe(101);
  await run("select 599");
  expect(counts.prepared - prepared).toBe(601);
});

test("a snapshot closes the statements that it has prepared", async () => {
  const { driver, counts } = countingDriver();
  const database = sqliteDatabase({ driver, path: newPath(), journal, restorable: true });
  const store = await openStore({ database, clock: new ManualClock(), resources });
  onTestFinished(() => store.close());
  const before = counts.prepared - counts.closed;
  await store.snapshots?.take();
  expect(counts.prepared - counts.closed).toBe(before);
});
