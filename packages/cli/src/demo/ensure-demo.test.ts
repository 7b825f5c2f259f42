/** @module-tag exhaustive */
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  FixedKeys,
  openBlobs,
  openStoreAt,
  resources,
  systemClock,
  type BlobStore,
  type Store,
} from "@security-platform/server/internal";
import { expect, onTestFinished, test } from "vitest";
import { demoFolder } from "../testing/prepared-folder.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { readCredentials, removeCredentials } from "./credentials.ts";
import { ensureDemo } from "./ensure-demo.ts";

const nightly = { tags: ["nightly"] };

async function openIn(folder: string): Promise<Store> {
  const url = `sqlite:${folder}/platform.sqlite`;
  const store = await openStoreAt({ url, clock: systemClock, resources, keys: new FixedKeys() });
  onTestFinished(() => store.close());
  return store;
}

const blobsIn = (folder: string): BlobStore =>
  openBlobs({ url: `file:${folder}/blobs`, clock: systemClock });

/** A store that fails at the first client, like a full disk or a power failure. */
const breaking = (store: Store): Store =>
  overriding(store, {
    directory: overriding(store.directory, {
      createClient: () => Promise.reject(new Error("broken")),
    }),
  });

function overriding<Target extends object>(target: Target, overrides: Partial<Target>): Target {
  return new Proxy(target, {
    get: (_target, name) => {
      const value: unknown = Reflect.get(overrides, name) ?? Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

test("fills an empty database once", async () => {
  const folder = temporaryFolder();
  const store = await openIn(folder);
  const first = await ensureDemo(store, blobsIn(folder), folder);
  expect(first).toEqual(readCredentials(folder));
  expect(await ensureDemo(store, blobsIn(folder), folder)).toEqual(first);
  expect(await store.directory.clients()).toHaveLength(2);
});

test("resumes after an interruption", async () => {
  const folder = temporaryFolder();
  const store = await openIn(folder);
  await expect(ensureDemo(breaking(store), blobsIn(folder), folder)).rejects.toThrow("broken");
  const tenants = await store.directory.tenants();
  expect(tenants.length).toBeGreaterThan(0);
  const credentials = await ensureDemo(store, blobsIn(folder), folder);
  expect(credentials).toEqual(readCredentials(folder));
  expect(credentials).not.toBeNull();
  expect(await store.directory.tenants()).toEqual(tenants);
  expect(existsSync(`${folder}/first-start`)).toBe(false);
});

test("does not change a database with other data", nightly, async () => {
  const folder = join((await demoFolder()).folder, ".data");
  const store = await openIn(folder);
  removeCredentials(folder);
  expect(await ensureDemo(store, blobsIn(folder), folder)).toBeNull();
  expect(await store.directory.clients()).toHaveLength(2);
});

test("explains what to do if the credentials cannot be stored", nightly, async () => {
  const folder = temporaryFolder();
  const store = await openIn(folder);
  await expect(ensureDemo(store, blobsIn(folder), `${folder}/missing`)).rejects.toThrow(
    "--no-demo",
  );
  expect(await store.directory.tenants()).toEqual([]);
});
