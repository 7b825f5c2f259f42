import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { openStoreAt } from "../src/host/open-store-at.ts";
import type { Position, Resource, Store, UpgradeProgress } from "../src/store/index.ts";
import { PostgresConnection } from "../src/store/dialects/postgres/postgres-connection.ts";
import { SqliteConnection } from "../src/store/dialects/sqlite/sqlite-connection.ts";
import { forEachEngine } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { programArguments } from "./support/programs.ts";
import { administer } from "./support/raw-sql.ts";
import { child, filterOf, newStore, now, parent, queryOf, stranger } from "./support/store.ts";
import {
  earlierSightings,
  sighting,
  upgradedSightings,
  type Sighting,
} from "./support/sightings.ts";

const past = new Date(now.getTime() - 1).toISOString();

const nightly = { tags: ["exhaustive", "nightly"] };

/** A second form, of the version after `upgradedSightings`. */
const laterSightings: Resource<Sighting> = {
  ...upgradedSightings,
  upgrade: {
    revision: 2,
    run: ({ kind = "none", ...rest }) =>
      upgradedSightings.upgrade?.run({ ...rest, kind: kind === "unknown" ? "none" : kind }) ?? {
        ...rest,
        kind,
      },
  },
};

/** Makes the database one whose records no version has upgraded yet. */
const forget = (url: string) => administer(url, "delete from record_revisions; select 1");

forEachEngine((engine) => {
  const open = async (url: string, resource: Resource<Sighting> = upgradedSightings) => {
    const progress: UpgradeProgress[] = [];
    const store = await openStoreAt({
      url,
      clock: new ManualClock(now.toISOString()),
      resources: [resource],
      onUpgrade: (each) => progress.push(each),
      durable: false,
    });
    onTestFinished(() => store.close());
    return { store, progress };
  };
  /** A database that an earlier version has written. */
  const earlier = async (write: (store: Store) => Promise<void>): Promise<string> => {
    const { store, url } = await newStore(engine, [earlierSightings]);
    await write(store);
    await store.close();
    await forget(url);
    return url;
  };
  const put = (store: Store, records: readonly Sighting[], cid = child) =>
    store.write(cid, (transaction) => transaction.records(earlierSightings).put(records, now));
  const find = async (store: Store, filter: string, cid = child) =>
    (await store.records(upgradedSightings, { cid }).page(queryOf(filter))).items;
  const text = async (store: Store, id: string, cid = child) =>
    (await store.records(upgradedSightings, { cid }).get([id], now)).get(id);

  test("records of an earlier version are served, found and expire in the form of this one", async () => {
    const url = await earlier(async (store) => {
      const old = sighting("1", {
        name: "seen at noon",
        tags: ["", "a"],
        rank: 7,
        expires_at: past,
      });
      await put(store, [old, sighting("2", { kind: "x" })]);
      await put(store, [sighting("3", { name: "of the parent", tags: [""] })], parent);
      await put(store, [sighting("4", { name: "seen by others" })], stranger);
      await store.write(child, (transaction) =>
        transaction.records(earlierSightings).remove(["2"], now),
      );
    });
    const { store, progress } = await open(url);
    expect(await text(store, "1")).toBe(
      '{"id":"1","name":"observed at noon","kind":"unknown",' +
        `"expires_at":"${past}","tags":["a"],"expired":true,"state":"over"}`,
    );
    expect(await store.records(upgradedSightings, { cid: child }).getComplete(["1"], now)).toEqual(
      new Map([["1", expect.objectContaining({ rank: 7, kind: "unknown" })]]),
    );
    expect(await find(store, "kind:'unknown'+rank:7+state:'over'+tags:'a'")).toEqual(["1"]);
    expect(await find(store, "tags:''")).toEqual([]);
    expect(await find(store, "name:~'observed'")).toEqual(["1"]);
    expect(await find(store, "name:~'seen'")).toEqual([]);
    expect(await find(store, "kind:'x'+deleted:true")).toEqual(["2"]);
    expect(await find(store, "kind:'unknown'", parent)).toEqual(["3"]);
    expect(await find(store, "name:~'observed by others'", stranger)).toEqual(["4"]);
    // The former name is free, the new one is taken.
    await put(store, [sighting("5", { name: "SEEN at noon", kind: "x" })]);
    await expect(put(store, [sighting("6", { name: "Observed at noon" })])).rejects.toThrow(
      /exists already/,
    );
    expect(progress.map(({ changed }) => changed).at(-1)).toBe(5);
  });

  test("records in the form of this version are not written again", async () => {
    const url = await earlier((store) =>
      put(store, [
        sighting("1", { active: true, rank: 7, score: 0.5, tags: ["a", "b"], expires_at: past }),
        sighting("2", { active: false }),
      ]),
    );
    const first = await open(url);
    expect(first.progress.at(-1)).toEqual({
      resource: "test_sightings",
      read: 2,
      changed: 2,
      records: 2,
    });
    await first.store.close();
    expect((await open(url)).progress).toEqual([]);
    const { run } = upgradedSightings.upgrade ?? { run: (record: Sighting) => record };
    const { store, progress } = await open(url, {
      ...upgradedSightings,
      upgrade: { revision: 2, run: (record) => run({ ...record, kind: record.kind ?? "none" }) },
    });
    expect(progress.at(-1)).toMatchObject({ read: 2, changed: 0 });
    await store.close();
    // What the version before now writes, the later one upgrades at its next start.
    const back = await open(url);
    expect(back.progress).toEqual([]);
    await put(back.store, [sighting("3")]);
    await back.store.close();
    const again = await open(url, { ...upgradedSightings, upgrade: { revision: 2, run } });
    expect(again.progress.at(-1)).toMatchObject({ read: 1, changed: 1 });
  });

  test("a scan that began before sees the versions of then, in the new form", async () => {
    const names = (texts: readonly string[]) =>
      texts.map((each) => (JSON.parse(each) as Sighting).name);
    let after: Position | undefined;
    const url = await earlier(async (store) => {
      await put(store, [sighting("1", { name: "seen" }), sighting("2", { name: "seen, too" })]);
      const query = { ...queryOf("", { limit: 1 }), shape: "records" as const };
      after = (await store.records(earlierSightings, { cid: child }).page(query)).next;
      await put(store, [sighting("2", { name: "changed" })]);
      await put(store, [sighting("3", { name: "new" })]);
    });
    const { store } = await open(url);
    const records = store.records(upgradedSightings, { cid: child });
    const query = { ...queryOf(""), shape: "records" as const, ...(after && { after }) };
    expect(names((await records.page(query)).items)).toEqual(["observed, too"]);
    expect(await find(store, "kind:'unknown'")).toEqual(["1", "2", "3"]);
  });

  test("versions that the sweep may delete are left to it", async () => {
    const { store, url, clock } = await newStore(engine, [earlierSightings]);
    await put(store, [sighting("1", { name: "seen", tags: ["a"] })]);
    await put(store, [sighting("1", { name: "seen again", tags: ["a"] })]);
    clock.advance(3 * 3_600_000);
    await put(store, [sighting("2", { name: "later" })]);
    // Marks the first version, and is cut off before it is deleted.
    await administer(url, "update write_numbers set swept = 2 where resource = ''; select 1");
    await store.close();
    await forget(url);
    const { store: opened, progress } = await open(url);
    expect(progress.at(-1)).toMatchObject({ read: 2, changed: 2 });
    await opened.sweep(clock.now());
    const rows = "select count(*) as rows from test_sightings";
    expect(await administer(url, rows)).toMatchObject([{ rows: expect.toSatisfy(isNumber(2)) }]);
    const elements = "select count(*) as rows from test_sightings__values where valid_from = 1";
    expect(await administer(url, elements)).toMatchObject([
      { rows: expect.toSatisfy(isNumber(0)) },
    ]);
  });

  test("several servers may start at the same time", { tags: ["exhaustive"] }, async () => {
    const many = Array.from({ length: 700 }, (_, at) => sighting(String(at), { tags: ["", "t"] }));
    const url = await earlier((store) => put(store, many));
    const [{ store }] = await Promise.all([open(url), open(url)]);
    const records = store.records(upgradedSightings, { cid: child });
    expect(await records.count(filterOf("kind:'unknown'+tags:'t'"), now)).toBe(700);
    expect(await records.count(filterOf("tags:''"), now)).toBe(0);
  });

  test("long records share a statement only as far as a text can hold them", nightly, async () => {
    const note = "long ".repeat(200_000);
    const many = Array.from({ length: 30 }, (_, at) => ({ ...sighting(String(at)), note }));
    const url = await earlier((store) => put(store, many));
    const classes = [SqliteConnection, PostgresConnection];
    const sends = classes.map((each) => vi.spyOn(each.prototype, "send"));
    onTestFinished(() => sends.forEach((send) => send.mockRestore()));
    const { store, progress } = await open(url);
    expect(progress.at(-1)).toMatchObject({ changed: 30 });
    expect(await find(store, "kind:'unknown'")).toHaveLength(30);
    const lengths = sends
      .flatMap((send) => send.mock.calls)
      .flatMap(([{ values }]) => values.map((value) => String(value).length));
    expect(Math.max(...lengths)).toBeLessThan(8 * 1_000_000);
    expect(lengths.filter((length) => length > 1_000_000).length).toBeLessThan(30);
  });

  /** Opens the database, and is cut off after a batch, at whose end `last` does its work. */
  const cutOff = async (
    url: string,
    resource: Resource<Sighting>,
    batches: number,
    last = () => {},
  ) => {
    let done = 0;
    const opening = openStoreAt({
      url,
      clock: new ManualClock(now.toISOString()),
      resources: [resource],
      onUpgrade: () => {
        done += 1;
        if (done === 1) last();
        if (done === batches) throw new Error("cut off");
      },
      durable: false,
    });
    await expect(opening).rejects.toThrow("cut off");
  };

  test("an earlier version leaves the upgrade of a later one as it is", async () => {
    const many = Array.from({ length: 450 }, (_, at) => sighting(String(at)));
    const url = await earlier((store) => put(store, many));
    await (await open(url)).store.close();
    await cutOff(url, laterSightings, 1);
    const before = await open(url);
    expect(before.progress).toEqual([]);
    await before.store.close();
    expect((await open(url, laterSightings)).progress.at(-1)).toMatchObject({ read: 250 });
  });

  if (engine.name === "sqlite") {
    test("an earlier version that goes on with its upgrade does not move the place of a later one", async () => {
      const many = Array.from({ length: 450 }, (_, at) => sighting(String(at)));
      const url = await earlier((store) => put(store, many));
      await cutOff(url, upgradedSightings, 2, () => {
        // As the later version does when it begins.
        const database = new DatabaseSync(url.slice("sqlite:".length));
        database.exec("update record_revisions set target = 2, cid = '', row = 0, valid_from = 0");
        database.close();
      });
      const { store } = await open(url, laterSightings);
      const records = store.records(laterSightings, { cid: child });
      expect(await records.count(filterOf("kind:'none'"), now)).toBe(450);
    });
  }

  test("an upgrade that was killed continues where it stopped", nightly, async () => {
    const many = Array.from({ length: 1_800 }, (_, at) =>
      sighting(String(at), { tags: ["", "t"] }),
    );
    const url = await earlier(async (store) => {
      await put(store, many);
      await put(store, [sighting("p", { tags: [""] })], parent);
    });
    const words = await programArguments("upgrade-until-killed", url, "1000");
    const upgrading = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(upgrading, "close");
    const printed: number[] = [];
    for await (const line of createInterface(upgrading.stdout)) {
      printed.push(Number(line));
      if (Number(line) >= 1_000) upgrading.kill("SIGKILL");
    }
    await ended;
    expect(printed.at(-1)).toBeGreaterThanOrEqual(1_000);
    const { store, progress } = await open(url);
    const left = 1_801 - (printed.at(-1) ?? 0);
    expect(progress.at(-1)).toMatchObject({ read: left, changed: left });
    const records = store.records(upgradedSightings, { cid: child });
    expect(await records.count(filterOf("kind:'unknown'+tags:'t'"), now)).toBe(1_801 - 1);
    expect(await records.count(filterOf("tags:''"), now)).toBe(0);
  });
});

const isNumber = (expected: number) => (value: unknown) => Number(value) === expected;
