import { mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { LocalBlobs } from "../src/blobs/local-blobs.ts";
import { purgeBlobs } from "../src/jobs/purge-blobs.ts";
import { purgeJobs } from "../src/jobs/purge-jobs.ts";
import { purgeTokens } from "../src/jobs/purge-tokens.ts";
import { sweepStore } from "../src/jobs/sweep-store.ts";
import type { Resource } from "../src/store/types/types.ts";
import { forEachEngine } from "./support/engines.ts";
import { enqueue, noting, workerOf } from "./support/jobs.ts";
import { days, hours, ManualClock, minutes } from "./support/manual-clock.ts";
import { sighting, sightings, type Sighting } from "./support/sightings.ts";
import { child, newStore, parent } from "./support/store.ts";

/** Sightings that refer to files: one in their kind, and any number in their tags. */
const illustrated: Resource<Sighting> = { ...sightings, blobs: ["kind", "tags"] };

forEachEngine((engine) => {
  test("expired tokens are deleted an hour after their expiry", async () => {
    const { store, clock } = await newStore(engine);
    const { directory } = store;
    const client_id = "1".repeat(32);
    const created_at = clock.now().toISOString();
    await directory.createClient(
      { client_id, cid: child, name: "client", scopes: [], created_at },
      { hash: "secret", created_at, expires_at: null },
    );
    const save = (hash: string, milliseconds: number) => {
      const expires_at = new Date(clock.now().getTime() + milliseconds).toISOString();
      return directory.saveToken({ hash, client_id, cid: child, scopes: [], expires_at });
    };
    for (let number = 0; number < 1_200; number += 1) await save(`old ${number}`, minutes(1));
    await save("living", days(1));
    const worker = workerOf({ store, clock }, [purgeTokens(store)]);
    await worker.drain();
    clock.advance(minutes(31));
    await worker.drain();
    expect(await directory.token("old 0")).not.toBeNull();
    clock.advance(minutes(31));
    await worker.drain();
    expect(await directory.token("old 0")).toBeNull();
    expect(await directory.token("old 1199")).toBeNull();
    expect(await directory.token("living")).not.toBeNull();
    const [last] = await store.jobs.list({ limit: 1 });
    expect(last).toMatchObject({ kind: "tokens.purge", result: { tokens: 1_200 } });
  });

  test("files are deleted after a day, unless a record of any tenant or version refers to them", async () => {
    const { store, clock } = await newStore(engine, [illustrated]);
    const folder = mkdtempSync(join(tmpdir(), "secplat-upkeep-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const blobs = new LocalBlobs(folder);
    const hashes = new Map<string, string>();
    for (const name of ["one", "tagged", "replaced", "deleted", "parents", "stray"]) {
      const { sha256 } = await blobs.put(Readable.from([Buffer.from(name)]));
      hashes.set(name, sha256);
    }
    const hash = (name: string): string => hashes.get(name) ?? "";
    const write = (cid: string, ...records: readonly Sighting[]) =>
      store.write(cid, (transaction) => transaction.records(illustrated).put(records, clock.now()));
    await write(
      child,
      sighting("1", { kind: hash("one"), tags: [hash("tagged"), "no hash"] }),
      sighting("2", { kind: hash("replaced") }),
      sighting("3", { kind: hash("deleted") }),
    );
    await write(parent, sighting("4", { kind: hash("parents") }));
    await write(child, sighting("2"));
    await store.write(child, (transaction) =>
      transaction.records(illustrated).remove(["3"], clock.now()),
    );
    const left = async () => {
      const stored: string[] = [];
      for await (const { sha256 } of blobs.list()) stored.push(sha256);
      return [...hashes].filter(([, each]) => stored.includes(each)).map(([name]) => name);
    };
    const fileClock = new ManualClock(new Date().toISOString());
    const worker = workerOf({ store, clock }, [purgeBlobs(store, blobs, fileClock)]);
    await worker.drain();
    const purge = async () => {
      clock.advance(days(1));
      await worker.drain();
      return (await store.jobs.list({ limit: 1 }))[0]?.result;
    };
    // They are new: their records may not be committed yet.
    expect(await purge()).toEqual({ deleted: 0, bytes: 0 });
    fileClock.advance(hours(23));
    expect(await purge()).toEqual({ deleted: 0, bytes: 0 });
    fileClock.advance(hours(2));
    expect(await purge()).toEqual({ deleted: 1, bytes: "stray".length });
    expect(await left()).toEqual(["one", "tagged", "replaced", "deleted", "parents"]);
    await store.sweep(clock.now());
    expect(await purge()).toEqual({ deleted: 1, bytes: "replaced".length });
    clock.advance(days(30));
    await store.sweep(clock.now());
    expect(await purge()).toEqual({ deleted: 1, bytes: "deleted".length });
    expect(await left()).toEqual(["one", "tagged", "parents"]);
  });

  test("a file that is stored again has the age of its last copy", async () => {
    const { store, clock } = await newStore(engine, [illustrated]);
    const folder = mkdtempSync(join(tmpdir(), "secplat-upkeep-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const blobs = new LocalBlobs(folder);
    const put = () => blobs.put(Readable.from([Buffer.from("content")]));
    const { sha256 } = await put();
    const yesterday = new Date(Date.now() - days(3));
    utimesSync(join(folder, sha256.slice(0, 2), sha256), yesterday, yesterday);
    await put();
    const worker = workerOf({ store, clock }, [
      purgeBlobs(store, blobs, { now: () => new Date() }),
    ]);
    await worker.drain();
    clock.advance(days(1));
    expect(await worker.drain()).toBe(1);
    expect(await blobs.bytes(sha256)).not.toBeNull();
  });

  test("ended jobs are deleted, and the sweep runs every five minutes", async () => {
    const { store, clock } = await newStore(engine);
    await enqueue(store, { kind: "note", now: clock.now() });
    const kinds = [noting("note", [], () => null), purgeJobs(store), sweepStore(store)];
    const worker = workerOf({ store, clock }, kinds);
    await worker.drain();
    await store.write(child, (transaction) =>
      transaction.records(sightings).insert([sighting("1")], clock.now()),
    );
    await store.write(child, (transaction) =>
      transaction.records(sightings).replace([sighting("1", { note: "x" })], clock.now()),
    );
    clock.advance(hours(2));
    await worker.drain();
    const sweeps = await store.jobs.list({ limit: 1, kind: "records.sweep" });
    expect(sweeps).toMatchObject([{ result: { tenants: 1, rows: 1 } }]);
    clock.advance(days(7));
    await worker.drain();
    expect(await store.jobs.list({ limit: 1, kind: "note" })).toEqual([]);
    const purges = await store.jobs.list({ limit: 1, kind: "jobs.purge" });
    expect(purges).toMatchObject([{ state: "succeeded", result: { jobs: 3 } }]);
  });
});
