/** @module-tag exhaustive */
import {
  createControlledPlatform,
  ControlledClock,
  FixedKeys,
  openStore,
  resources,
} from "@security-platform/server/internal";
import { createClient } from "@security-platform/client";
import type { SqliteHandle } from "@security-platform/server/portable";
import { expect, onTestFinished, test } from "vitest";
import { openWasm, type WasmOptions } from "../src/sqlite-wasm/open-wasm.ts";
import { MemoryFile, type Backing } from "../src/sqlite-wasm/memory-file.ts";
import { wasmDriver } from "../src/sqlite-wasm/wasm-driver.ts";
import { loadWasmLibrary } from "../src/sqlite-wasm/wasm-library.ts";

const nightly = { tags: ["nightly"] };

const library = await loadWasmLibrary();
const keys = new FixedKeys();

/** A file that a browser keeps. */
function keptFile(content = new Uint8Array()) {
  const file = new MemoryFile(content);
  const backing: Backing = {
    write: (bytes, at) => file.write(bytes, at),
    truncate: (size) => file.truncate(size),
    flush: () => {},
  };
  return { content, backing, file };
}

async function open(options: Partial<WasmOptions> = {}) {
  const clock = new ControlledClock();
  const database = openWasm({ library, restorable: true, ...options });
  const store = await openStore({ database, clock, resources, keys });
  const platform = await createControlledPlatform({ store, clock });
  const close = async (): Promise<void> => {
    await platform.stop();
    await store.close();
  };
  return { ...platform, database, close };
}

test("a platform is seeded, changed, restored and reset", async () => {
  const { controls, close, context } = await open();
  onTestFinished(close);
  await controls.keepInitial();
  const { hosts, cid } = await controls.seedWorld("small");
  expect(hosts).toBeGreaterThan(0);
  const seeded = await controls.takeSnapshot();
  await controls.createTenant("Other");
  await controls.restore(seeded);
  const names = async () => (await context.store.directory.tenants()).map(({ name }) => name);
  expect(await names()).not.toContain("Other");
  expect(await context.store.directory.tenant(cid)).not.toBeNull();
  await controls.reset();
  expect(await names()).toEqual([]);
});

test(
  "a database starts with the content of another, and both are independent",
  nightly,
  async () => {
    const first = await open();
    onTestFinished(first.close);
    const { cid } = await first.controls.createTenant("First");
    const second = await open({ template: first.database.content() });
    onTestFinished(second.close);
    expect(await second.context.store.directory.tenant(cid)).toMatchObject({ name: "First" });
    const other = await second.controls.createTenant("Second");
    expect(await first.context.store.directory.tenant(other.cid)).toBeNull();
  },
);

test("a closed database is gone", async () => {
  const { close, database } = await open();
  expect(database.content().length).toBeGreaterThan(100_000);
  await close();
  expect(() => database.content()).toThrow("is closed");
});

/** Works on the database in a file. */
function inFile(file: MemoryFile, work: (handle: SqliteHandle) => void): void {
  const path = "/file.db";
  library.files.set(path, file);
  const handle = wasmDriver(library).open(path);
  try {
    work(handle);
  } finally {
    handle.close();
    library.files.delete(path);
  }
}

test("kept records of an earlier version are upgraded, and kept so", nightly, async () => {
  const first = await open();
  const { cid } = await first.controls.seedWorld("small");
  const { client_id: clientId, client_secret: clientSecret } =
    await first.controls.createClient(cid);
  const idsOf = async ({ fetch }: typeof first): Promise<readonly string[]> => {
    const client = createClient({ baseUrl: "http://localhost", clientId, clientSecret, fetch });
    const filter = "created_on:>'2020-01-01T00:00:00Z'";
    const sort = "created_on.desc";
    return (await client.ioc.listIndicatorIds({ filter, sort, limit: 50 })).data;
  };
  const ids = await idsOf(first);
  expect(ids).toHaveLength(50);

  // An earlier version had neither this column nor its index.
  const file = new MemoryFile(first.database.content());
  await first.close();
  inFile(file, (handle) =>
    handle.exec(`drop index ioc_indicators__created_on;
    alter table ioc_indicators drop column field_created_on;
    update resource_layouts set layout = json_set(layout, '$.filling', '{"fields":[]}', '$.columns', json((
      select json_group_array(json(value)) from json_each(layout, '$.columns')
      where value ->> 'name' <> 'field_created_on'
    ))) where resource = 'ioc_indicators';
    delete from record_revisions`),
  );

  const kept = { database: keptFile(file.content()), journal: keptFile() };
  const upgraded = await open({ stored: kept });
  expect(await idsOf(upgraded)).toEqual(ids);
  await upgraded.close();
  inFile(kept.database.file, (handle) => {
    const isFilled = "select count(field_created_on) = count(*) from ioc_indicators";
    expect(handle.prepare(isFilled).tuples([])).toEqual([[1]]);
  });
  const again = await open({
    stored: { database: keptFile(kept.database.file.content()), journal: keptFile() },
  });
  onTestFinished(again.close);
  expect(await idsOf(again)).toEqual(ids);
});
