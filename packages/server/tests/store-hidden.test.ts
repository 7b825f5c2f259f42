import { expect, test } from "vitest";
import { StoreError } from "../src/store/types/errors.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import type { Resource, WritableRecords } from "../src/store/types/types.ts";
import { allOf } from "./support/all-of.ts";
import { forEachEngine } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { administer } from "./support/raw-sql.ts";
import { child, filterOf, later, newStore, now, parent, queryOf } from "./support/store.ts";
import { sighting, sightings, type Sighting } from "./support/sightings.ts";

const ranked: Resource<Sighting> = { ...sightings, hidden: ["rank", "note"] };
const textOf = ({ rank: _rank, note: _note, ...served }: Sighting): string =>
  JSON.stringify(served);

forEachEngine((engine) => {
  const newRecords = async (resource: Resource<Sighting> = ranked) => {
    const { store, ...rest } = await newStore(engine, [resource]);
    const write = <Result>(work: (into: WritableRecords<Sighting>) => Promise<Result>) =>
      store.write(child, (transaction) => work(transaction.records(resource)));
    return { store, ...rest, write, records: store.records(resource, { cid: child }) };
  };

  test("hidden members can be filtered and sorted by, and are not in texts", async () => {
    const { write, records } = await newRecords();
    const one = sighting("1", { rank: 2, note: "not for you", tags: ["t"] });
    const two = sighting("2", { rank: 1 });
    const three = sighting("3");
    const all = [one, two, three];
    expect(await write((into) => into.insert(all, now))).toEqual(all.map(textOf));
    const sorted = queryOf("rank:>0", { sort: "rank|asc", shape: "records" });
    expect((await records.page(sorted)).items).toEqual([textOf(two), textOf(one)]);
    expect((await records.page({ ...sorted, offset: 1 })).items).toEqual([textOf(one)]);
    expect((await records.get(["1"], now)).get("1")).toBe(textOf(one));
    expect(await allOf(records.scan(filterOf(""), now))).toEqual(all.map(textOf));
    expect(await write((into) => into.replace([{ ...one, rank: 9 }], now))).toEqual([textOf(one)]);
    expect(await records.count(filterOf("rank:9"), now)).toBe(1);
  });

  test("complete records have hidden members: by id, in scans, and for changes", async () => {
    const { write, records } = await newRecords();
    const all = [
      sighting("1", { rank: 2, note: "n" }),
      sighting("2", { rank: null }),
      sighting("3"),
    ];
    await write((into) => into.insert(all, now));
    const byId = new Map(all.map((each) => [each.id, each]));
    expect(await records.getComplete(["3", "1", "2", "4"], now)).toEqual(byId);
    expect(await records.getComplete(["1"], now)).toEqual(new Map([["1", all[0]]]));
    const batches: (readonly Sighting[])[] = [];
    for await (const batch of records.scanComplete(filterOf(""), now, 2)) batches.push(batch);
    expect(batches).toEqual([all.slice(0, 2), all.slice(2)]);
    await write(async (into) => {
      expect(await into.getForUpdate(["1", "2", "3"])).toEqual(byId);
      expect(await into.findForUpdate(filterOf("rank:2"), now)).toEqual([all[0]]);
      expect(await into.getComplete(["1"], now)).toEqual(new Map([["1", all[0]]]));
    });
  });

  test("an expiry and a deletion get the complete record", async () => {
    const promoting: Resource<Sighting> = {
      ...ranked,
      expiry: {
        at: ({ expires_at }) => expires_at ?? null,
        after: (record) => ({
          ...record,
          state: `was ${record.rank}`,
          rank: (record.rank ?? 0) + 1,
        }),
        changes: ["state", "rank"],
      },
      softDelete: {
        days: 30,
        mark: (record) => ({ ...record, deleted: true, kind: record.note ?? null }),
      },
    };
    const { write, records } = await newRecords(promoting);
    const one = sighting("1", { rank: 4, note: "why", expires_at: later(1_000).toISOString() });
    await write((into) => into.insert([one], now));
    expect(await records.count(filterOf("rank:4"), now)).toBe(1);
    const turned = later(1_000);
    expect(await records.count(filterOf("rank:5+state:'was 4'"), turned)).toBe(1);
    expect((await records.getComplete(["1"], now)).get("1")).toEqual(one);
    const after = { ...one, state: "was 4", rank: 5 };
    expect((await records.getComplete(["1"], turned)).get("1")).toEqual(after);
    expect((await records.get(["1"], turned)).get("1")).toBe(textOf(after));
    for await (const batch of records.scanComplete(filterOf(""), turned))
      expect(batch).toEqual([after]);
    await write((into) => into.remove(["1"], now));
    const deleted = queryOf("deleted:true+kind:'why'+rank:4", { shape: "records" });
    expect((await records.page(deleted)).items).toEqual([
      textOf({ ...one, deleted: true, kind: "why" }),
    ]);
  });

  test("a child reads an ancestor's records in the form of its view", async () => {
    const { store } = await newRecords();
    await store.write(parent, (transaction) =>
      transaction.records(ranked).insert([sighting("1", { rank: 7 })], now),
    );
    const records = store.records(ranked, { cid: child, records: "both" });
    const seen = { ...sighting("1", { rank: 7 }), from_parent: true, owner: "parent" };
    expect(await records.getComplete(["1"], now)).toEqual(new Map([["1", seen]]));
    for await (const batch of records.scanComplete(filterOf("rank:7"), now))
      expect(batch).toEqual([seen]);
    expect((await records.get(["1"], now)).get("1")).toBe(textOf(seen));
  });

  test("reindexing also fills columns from hidden members", async () => {
    const { store, url, write, records } = await newRecords();
    await write((into) => into.insert([sighting("1", { rank: 3, note: "n" })], now));
    await administer(url, "update test_sightings set field_rank = null; select 1");
    expect((await records.page(queryOf("rank:3"))).items).toEqual([]);
    await store.reindex();
    expect((await records.page(queryOf("rank:3"))).items).toEqual(["1"]);
    expect((await records.getComplete(["1"], now)).get("1")).toEqual(
      sighting("1", { rank: 3, note: "n" }),
    );
  });

  test("a member that becomes hidden is removed from stored texts", async () => {
    const { store, url, write } = await newRecords(sightings);
    const one = sighting("1", { rank: 3, note: "n", tags: ["t"] });
    await write((into) => into.insert([one], now));
    await store.close();
    const opened = await openStoreAt({ url, clock: new ManualClock(), resources: [ranked] });
    try {
      const records = opened.records(ranked, { cid: child });
      expect((await records.get(["1"], now)).get("1")).toBe(textOf(one));
      expect((await records.getComplete(["1"], now)).get("1")).toEqual(one);
      expect(await records.count(filterOf("rank:3+tags:'t'"), now)).toBe(1);
    } finally {
      await opened.close();
    }
  });

  test("an identifier cannot be hidden", async () => {
    await expect(newStore(engine, [{ ...sightings, hidden: ["id"] }])).rejects.toThrow(StoreError);
  });
});
