/** @module-tag exhaustive */
import {
  createControlledPlatform,
  ControlledClock,
  FixedKeys,
  openStore,
  resources,
} from "@security-platform/server/internal";
import { expect, onTestFinished, test } from "vitest";
import { openWasm, type WasmOptions } from "../src/sqlite-wasm/open-wasm.ts";
import { MemoryFile, type Backing } from "../src/sqlite-wasm/memory-file.ts";
import { wasmDriver } from "../src/sqlite-wasm/wasm-driver.ts";
import { loadWasmLibrary } from "../src/sqlite-wasm/wasm-library.ts";

const library = await loadWasmLibrary();
const keys = new FixedKeys();
const url = "http://localhost";

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

test("a database starts with the content of another, and both are independent", async () => {
  const first = await open();
  onTestFinished(first.close);
  const { cid } = await first.controls.createTenant("First");
  const second = await open({ template: first.database.content() });
  onTestFinished(second.close);
  expect(await second.context.store.directory.tenant(cid)).toMatchObject({ name: "First" });
  const other = await second.controls.createTenant("Second");
  expect(await first.context.store.directory.tenant(other.cid)).toBeNull();
});

test("a closed database is gone", async () => {
  const { close, database } = await open();
  expect(database.content().length).toBeGreaterThan(100_000);
  await close();
  expect(() => database.content()).toThrow("is closed");
});

/** Ids of the indicators that a filter finds, by the API. */
async function idsOf(
  { fetch }: Awaited<ReturnType<typeof open>>,
  { client_id, client_secret }: { readonly client_id: string; readonly client_secret: string },
  query: Readonly<Record<string, string>>,
): Promise<unknown> {
  const body = new URLSearchParams({ client_id, client_secret });
  const token = await fetch(new Request(`${url}/oauth2/token`, { method: "POST", body }));
  const { access_token } = (await token.json()) as { readonly access_token: string };
  const headers = { authorization: `Bearer ${access_token}` };
  const path = `${url}/iocs/queries/indicators/v1?${String(new URLSearchParams(query))}`;
  return (await fetch(new Request(path, { headers }))).json();
}

test("kept records of an earlier version are upgraded, and kept so", async () => {
  const first = await open();
  const { cid } = await first.controls.seedWorld("small");
  const client = await first.controls.createClient(cid);
  const query = {
    filter: "created_on:>'2020-01-01T00:00:00Z'",
    sort: "created_on.desc",
    limit: "50",
  };
  const ids = await idsOf(first, client, query);
  expect(ids).toHaveLength(50);

  // An earlier version had neither this column nor its index.
  const path = "/earlier.db";
  const file = new MemoryFile(first.database.content());
  await first.close();
  library.files.set(path, file);
  const handle = wasmDriver(library).open(path);
  handle.exec(`drop index ioc_indicators__created_on;
    alter table ioc_indicators drop column field_created_on;
    update resource_layouts set layout = json_set(layout, '$.filling', 'earlier', '$.columns', json((
      select json_group_array(json(value)) from json_each(layout, '$.columns')
      where value ->> 'name' <> 'field_created_on'
    ))) where resource = 'ioc_indicators';
    delete from record_revisions`);
  handle.close();
  library.files.delete(path);

  const kept = { database: keptFile(file.content()), journal: keptFile() };
  const upgraded = await open({ stored: kept });
  expect(await idsOf(upgraded, client, query)).toEqual(ids);
  await upgraded.close();
  const again = await open({
    stored: { database: keptFile(kept.database.file.content()), journal: keptFile() },
  });
  onTestFinished(again.close);
  expect(await idsOf(again, client, query)).toEqual(ids);
});
