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
import { loadWasmLibrary } from "../src/sqlite-wasm/wasm-library.ts";

const library = await loadWasmLibrary();
const keys = new FixedKeys();

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
