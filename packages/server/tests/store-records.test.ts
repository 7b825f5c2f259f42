import { expect, test } from "vitest";
import { DuplicateRecordError, StoreError, TextTooLongError } from "../src/store/types/errors.ts";
import type { Transaction } from "../src/store/types/types.ts";
import { forEachEngine } from "./support/engines.ts";
import { days, hours } from "./support/manual-clock.ts";
import {
  child,
  filterOf,
  later,
  newStore,
  now,
  parent,
  queryOf,
  stranger,
} from "./support/store.ts";
import { sighting, sightings, type Sighting } from "./support/sightings.ts";

const textOf = (record: Sighting): string => JSON.stringify(record);

forEachEngine((engine) => {
  const newRecords = async () => {
    const { store, ...rest } = await newStore(engine);
    const write = <Result>(work: (records: ReturnType<typeof recordsOf>) => Promise<Result>) =>
      store.write(child, (transaction) => work(recordsOf(transaction)));
    return { store, ...rest, write, records: store.records(sightings, { cid: child }) };
  };
  const recordsOf = (transaction: Transaction) => transaction.records(sightings);

  test("returns the inserted text, to its own tenant only", async () => {
    const { store, write, records } = await newRecords();
    const one = sighting("1", { tags: ["a", "b"], score: 1.5, active: true, kind: null });
    const two = sighting("2", { name: "Grüße \u0000 \u0001 \ud83d\ude00 \ud800" });
    expect(await write((into) => into.insert([one, two], now))).toEqual([textOf(one), textOf(two)]);
    expect(await records.get(["2", "3", "1"], now)).toEqual(
      new Map([
        ["1", textOf(one)],
        ["2", textOf(two)],
      ]),
    );
    for (const cid of [parent, stranger]) {
      const others = store.records(sightings, { cid, records: "both" });
      expect(await others.get(["1", "2"], now)).toEqual(new Map());
      expect(await others.page(queryOf("", { offset: 0 }))).toEqual({ items: [], total: 0 });
    }
  });

  test("a period of time ends before its last instant", async () => {
    const { write, records } = await newRecords();
    const instants = [
      "2026-02-28T23:59:59.999999999Z",
      "2026-03-01T00:00:00.000000000Z",
      "2026-03-01T23:59:59.999999999Z",
      "2026-03-02T00:00:00.000000000Z",
    ];
    await write((into) =>
      into.insert(
        instants.map((seen_at, at) => sighting(String(at), { seen_at })),
        now,
      ),
    );
    for (const [filter, ids] of [
      ["seen_at:'2026-03-01'", ["1", "2"]],
      ["seen_at:!'2026-03-01'", ["0", "3"]],
    ] as const) {
      expect((await records.page(queryOf(filter, { sort: "id.asc" }))).items, filter).toEqual(ids);
    }
  });

  test("a text with characters that columns cannot store is found and grouped", async () => {
    const { write, records } = await newRecords();
    const kinds = ["\u0000", "\u0001", "\u0001\u0001", "a\u0000b", "\ud800", "\ufffd", "plain"];
    await write((into) =>
      into.insert(
        kinds.map((kind, at) => sighting(String(at), { kind })),
        now,
      ),
    );
    for (const [at, kind] of kinds.entries()) {
      const predicate = { kind: "equal", field: "kind", value: kind, fold: false } as const;
      const page = await records.page({ ...queryOf(""), predicate });
      expect(page.items).toEqual([String(at)]);
    }
    const { facets } = await records.facets.groups("kind", filterOf(""), {
      now,
      limit: 10,
      order: "value",
      direction: "asc",
    });
    expect(new Set(facets.map(({ value }) => value))).toEqual(new Set(kinds));
  });

  test("a transaction is atomic, and invisible before its commit", async () => {
    const { write, records } = await newRecords();
    await write((into) => into.insert([sighting("1")], now));
    const failure = new Error("changed my mind");
    const work = write(async (into) => {
      await into.insert([sighting("2")], now);
      await into.remove(["1"], now);
      expect(await into.page(queryOf(""))).toEqual({ items: ["2"] });
      expect(await records.page(queryOf(""))).toEqual({ items: ["1"] });
      throw failure;
    });
    await expect(work).rejects.toBe(failure);
    expect(await records.page(queryOf("", { offset: 0 }))).toEqual({ items: ["1"], total: 1 });
    await write((into) => into.insert([sighting("2")], now));
    expect(await records.count(filterOf(""), now)).toBe(2);
  });

  test("the error for a used id or key names it, and nothing is written", async () => {
    const { write, records } = await newRecords();
    await write((into) => into.insert([sighting("1"), sighting("2")], now));
    const refused = async (...added: readonly Sighting[]) => {
      const error = await write((into) => into.insert(added, now)).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(DuplicateRecordError);
      return (error as DuplicateRecordError).keys;
    };
    expect(await refused(sighting("3"), sighting("1", { name: "other" }))).toEqual(["1"]);
    expect(await refused(sighting("3", { name: "NAME 2" }), sighting("4"))).toEqual(["name 2"]);
    expect(await refused(sighting("3"), sighting("3", { name: "x" }))).toEqual(["3"]);
    expect(await refused(sighting("3"), sighting("4", { name: "Name 3" }))).toEqual(["name 3"]);
    expect(await records.count(filterOf(""), now)).toBe(2);
    expect(await write((into) => into.findDuplicates(["name 2", "name 9", "name 1"]))).toEqual(
      new Map([
        ["name 1", "1"],
        ["name 2", "2"],
      ]),
    );
  });

  test("replacing keeps the order, frees the old key, and may swap keys", async () => {
    const { write, records } = await newRecords();
    await write((into) => into.insert([sighting("1"), sighting("2"), sighting("3")], now));
    await write((into) =>
      into.replace([sighting("2", { name: "name 1" }), sighting("1", { name: "name 2" })], now),
    );
    expect((await records.page(queryOf(""))).items).toEqual(["1", "2", "3"]);
    expect((await records.page(queryOf("name:'name 1'"))).items).toEqual(["2"]);
    const duplicate = write((into) => into.replace([sighting("1", { name: "name 3" })], now));
    await expect(duplicate).rejects.toThrow(DuplicateRecordError);
    await expect(write((into) => into.replace([sighting("9")], now))).rejects.toThrow(StoreError);
  });

  test("one transaction may write a record several times", async () => {
    const { write, records } = await newRecords();
    await write(async (into) => {
      await into.insert([sighting("1", { tags: ["a"] })], now);
      await into.replace([sighting("1", { tags: ["b"] })], now);
      await into.put([sighting("1", { tags: ["c"] }), sighting("2")], now);
      expect(await into.getForUpdate(["1"])).toEqual(
        new Map([["1", sighting("1", { tags: ["c"] })]]),
      );
      await into.remove(["2"], now);
    });
    expect((await records.page(queryOf("tags:'c'"))).items).toEqual(["1"]);
    expect((await records.page(queryOf("tags:['a','b']"))).items).toEqual([]);
    await write(async (into) => {
      await into.remove(["1"], now);
      await into.insert([sighting("4", { name: "name 1" })], now);
    });
    expect((await records.page(queryOf(""))).items).toEqual(["4"]);
  });

  test("of two records with one id, put stores the last", async () => {
    const { write, records } = await newRecords();
    await write((into) =>
      into.put([sighting("1", { score: 1 }), sighting("1", { score: 2 })], now),
    );
    expect((await records.page(queryOf("score:2", { offset: 0 }))).total).toBe(1);
    expect(await records.count(filterOf(""), now)).toBe(1);
  });

  test("deleted records are visible only to filters that ask for them, until they are purged", async () => {
    const { store, write, records, clock } = await newRecords();
    await write((into) => into.insert([sighting("1", { kind: "x" }), sighting("2")], now));
    await write((into) => into.remove(["1", "9"], now));
    const seen = async (filter: string, at = now) =>
      (await records.page(queryOf(filter, { now: at }))).items;
    expect(await records.get(["1"], now)).toEqual(new Map());
    expect(await seen("")).toEqual(["2"]);
    expect(await seen("kind:'x'")).toEqual([]);
    expect(await seen("deleted:!true")).toEqual(["2"]);
    expect(await seen("deleted:false,kind:'x'")).toEqual([]);
    expect(await seen("deleted:true")).toEqual(["1"]);
    expect(await seen("deleted:true+kind:'x'")).toEqual(["1"]);
    expect(await seen("deleted:true+kind:'y'")).toEqual([]);
    expect(await seen("deleted:true,kind:!'x'")).toEqual(["1", "2"]);
    expect(await seen("(deleted:true,kind:'q')+kind:'x'")).toEqual(["1"]);
    expect(await seen("deleted:true", later(days(30) - 1))).toEqual(["1"]);
    expect(await seen("deleted:true", later(days(30)))).toEqual([]);
    expect(await seen("deleted:true,kind:!'x'", later(days(30) - 1))).toEqual(["1", "2"]);
    expect(await seen("deleted:true,kind:!'x'", later(days(30)))).toEqual(["2"]);
    expect(await records.page(queryOf("deleted:true", { shape: "records" }))).toEqual({
      items: [textOf(sighting("1", { kind: "x", deleted: true }))],
    });
    const total = async (at: Date) =>
      (await records.page(queryOf("deleted:true", { now: at, offset: 0 }))).total;
    expect([await total(now), await total(later(days(30)))]).toEqual([1, 0]);
    await write((into) => into.insert([sighting("3", { name: "name 1" })], now));
    await expect(write((into) => into.insert([sighting("1", { name: "q" })], now))).rejects.toThrow(
      DuplicateRecordError,
    );
    clock.advance(days(30) + hours(2));
    await write((into) => into.insert([sighting("1", { name: "q" })], clock.now()));
    await store.sweep(clock.now());
    expect(await seen("deleted:true", clock.now())).toEqual([]);
    expect(await seen("", clock.now())).toEqual(["2", "3", "1"]);
  });

  test("a record changes on expiry in texts, filters, sorts, facets and totals", async () => {
    const { write, records } = await newRecords();
    const expires_at = later(hours(1)).toISOString();
    const turning = sighting("1", { expires_at, expired: false, state: "open" });
    const lasting = sighting("2", { expired: false, state: "past" });
    expect(await write((into) => into.insert([turning, lasting], later(hours(1))))).toEqual([
      textOf({ ...turning, expired: true, state: "over" }),
      textOf(lasting),
    ]);
    const at = async (instant: Date) => ({
      get: (await records.get(["1"], instant)).get("1"),
      expired: await records.page(queryOf("expired:true", { now: instant, offset: 0 })),
      sorted: (await records.page(queryOf("", { now: instant, sort: "state|asc" }))).items,
      states: (
        await records.facets.groups("state", filterOf(""), {
          now: instant,
          limit: 5,
          order: "value",
          direction: "asc",
        })
      ).facets.map(({ value }) => value),
      count: await records.count(filterOf("state:'over'"), instant),
    });
    expect(await at(later(hours(1) - 1))).toEqual({
      get: textOf(turning),
      expired: { items: [], total: 0 },
      sorted: ["1", "2"],
      states: ["open", "past"],
      count: 0,
    });
    expect(await at(later(hours(1)))).toEqual({
      get: textOf({ ...turning, expired: true, state: "over" }),
      expired: { items: ["1"], total: 1 },
      sorted: ["1", "2"],
      states: ["over", "past"],
      count: 1,
    });
    expect(await write((into) => into.getForUpdate(["1"]))).toEqual(new Map([["1", turning]]));
    const expired = await write((into) =>
      into.findForUpdate(filterOf("expired:true"), later(hours(2))),
    );
    expect(expired).toEqual([turning]);
  });

  test("removes thousands of matching records, also those of the same transaction", async () => {
    const { write, records } = await newRecords();
    const all = Array.from({ length: 2_500 }, (_, at) => sighting(String(at), { score: at % 2 }));
    await write((into) => into.insert(all, now));
    await write(async (into) => {
      await into.insert([sighting("new", { score: 1 })], now);
      await into.removeMatching(filterOf("score:1"), now);
    });
    expect(await records.count(filterOf("score:1+deleted:!true"), now)).toBe(0);
    expect(await records.count(filterOf("score:0"), now)).toBe(1_250);
  });

  test("reads for update and scans thousands of records in their order", async () => {
    const { write, records } = await newRecords();
    const all = Array.from({ length: 2_500 }, (_, at) => sighting(String(at), { score: at % 2 }));
    await write((into) => into.insert(all, now));
    expect(await write((into) => into.findForUpdate(filterOf(""), now))).toEqual(all);
    const scanned: string[] = [];
    for await (const batch of records.scan(filterOf("score:1"), now, 400)) {
      expect(batch.length).toBeLessThanOrEqual(400);
      scanned.push(...batch);
    }
    expect(scanned).toEqual(all.filter(({ score }) => score === 1).map(textOf));
  });

  test("lists distinct values after a given one, and counts them up to a ceiling", async () => {
    const { write, records } = await newRecords();
    const kinds = ["b", "a", "c", "b", null, "d"];
    await write((into) =>
      into.insert(
        kinds.map((kind, at) => sighting(String(at), { kind, tags: ["t", `${at}`] })),
        now,
      ),
    );
    expect(await records.distinct("kind", filterOf(""), { now, limit: 3 })).toEqual([
      "a",
      "b",
      "c",
    ]);
    expect(await records.distinct("kind", filterOf(""), { now, limit: 9, after: "b" })).toEqual([
      "c",
      "d",
    ]);
    expect(await records.distinct("tags", filterOf("kind:'b'"), { now, limit: 9 })).toEqual([
      "0",
      "3",
      "t",
    ]);
    expect(await records.countDistinct("kind", filterOf(""), { now, ceiling: 10 })).toBe(4);
    expect(await records.countDistinct("kind", filterOf(""), { now, ceiling: 3 })).toBe(3);
  });

  test("a prefix pattern finds all texts with the prefix, also with extreme code points", async () => {
    const { write, records } = await newRecords();
    const kinds = ["a", "ab", "ab!", "ab\ud7ff", "ac", "ad", "a\ud7ff", "a\ud7ffx", "a\ue000"];
    const last = "a\u{10ffff}";
    await write((into) =>
      into.insert(
        [...kinds, last, `${last}x`, "b"].map((kind, at) => sighting(`${at}`, { kind })),
        now,
      ),
    );
    const idsBy = async (prefix: string) => {
      const predicate = { kind: "glob", field: "kind", parts: [prefix, ""], fold: false } as const;
      return (await records.page({ ...queryOf(""), predicate })).items.join(" ");
    };
    expect(await idsBy("ab")).toBe("1 2 3");
    expect(await idsBy("a\ud7ff")).toBe("6 7");
    expect(await idsBy(last)).toBe("9 10");
    expect(await idsBy("\u{10ffff}")).toBe("");
    expect(await idsBy("a")).toBe("0 1 2 3 4 5 6 7 8 9 10");
  });

  test("a total is counted again only after a write to the resource", async () => {
    const { write, records } = await newRecords();
    const total = async () => (await records.page(queryOf("kind:'x'", { offset: 0 }))).total;
    expect(await total()).toBe(0);
    await write((into) => into.insert([sighting("1", { kind: "x" })], now));
    expect(await total()).toBe(1);
    await write((into) => into.remove(["1"], now));
    expect(await total()).toBe(0);
  });

  test("a total counted inside a transaction is not cached", async () => {
    const { write, records } = await newRecords();
    const total = async (of: Pick<typeof records, "page">) =>
      (await of.page(queryOf("", { offset: 0 }))).total;
    const undone = write(async (into) => {
      await into.insert([sighting("1")], now);
      expect(await total(into)).toBe(1);
      await into.insert([sighting("2")], now);
      expect(await total(into)).toBe(2);
      expect(await into.count(filterOf(""), now)).toBe(2);
      throw new Error("no");
    });
    await expect(undone).rejects.toThrow("no");
    await write((into) => into.insert([sighting("3")], now));
    expect(await total(records)).toBe(1);
    expect(await records.count(filterOf(""), now)).toBe(1);
  });

  test("a tenant that was read before its creation has its parent's records afterwards", async () => {
    const { store } = await newRecords();
    const cid = "d".repeat(32);
    const records = store.records(sightings, { cid, records: "both" });
    expect((await records.page(queryOf(""))).items).toEqual([]);
    await store.write(parent, (into) => recordsOf(into).insert([sighting("1")], now));
    const created_at = now.toISOString();
    await store.directory.createTenant({ cid, name: "new", parent_cid: parent, created_at });
    expect((await records.page(queryOf(""))).items).toEqual(["1"]);
  });

  test("an indexed text has a maximum length", async () => {
    const { write, records } = await newRecords();
    const long = "ü".repeat(1_000);
    await write((into) =>
      into.insert([sighting("1", { kind: long, name: "n".repeat(3_000) })], now),
    ).catch((error: unknown) => expect(error).toBeInstanceOf(TextTooLongError));
    await write((into) => into.insert([sighting("1", { kind: long })], now));
    expect((await records.page(queryOf(`kind:'${long}'`))).items).toEqual(["1"]);
  });

  test("writes of one tenant run one after the other, and an unknown tenant cannot write", async () => {
    const { store, write, records } = await newRecords();
    await write((into) => into.insert([sighting("1", { score: 0 })], now));
    const increment = () =>
      write(async (into) => {
        const one = (await into.getForUpdate(["1"])).get("1");
        await into.replace([sighting("1", { score: (one?.score ?? 0) + 1 })], now);
      });
    await Promise.all(Array.from({ length: 20 }, increment));
    expect((await records.page(queryOf("score:20"))).items).toEqual(["1"]);
    await expect(store.write("d".repeat(32), async () => 1)).rejects.toThrow(/no tenant/);
  });
});
