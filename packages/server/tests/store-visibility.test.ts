import { where } from "@security-platform/fql";
import { expect, test } from "vitest";
import { openStoreAt } from "../src/host/open-store-at.ts";
import { platformCid, type Resource } from "../src/store/types/types.ts";
import { forEachEngine } from "./support/engines.ts";
import { administer } from "./support/raw-sql.ts";
import {
  catalogueSightings,
  sighting,
  sightings,
  taggedSightings,
  type Sighting,
} from "./support/sightings.ts";
import {
  child,
  everyPage,
  filterOf,
  newStore,
  now,
  parent,
  queryOf,
  stranger,
} from "./support/store.ts";

/**
 * The model test compares all reads with a plain list; these tests check what it cannot observe.
 */
forEachEngine((engine) => {
  const catalogue = async () => {
    const { store, ...rest } = await newStore(engine, [catalogueSightings]);
    const write = (cid: string, ...records: readonly Sighting[]) =>
      store.write(cid, (transaction) => transaction.records(catalogueSightings).put(records, now));
    const shared = ["1", "2", "3"].map((id) => sighting(id, { score: 1 }));
    await write(platformCid, ...shared);
    const of = (cid: string) => store.records(catalogueSightings, { cid });
    return { store, ...rest, write, of };
  };

  test("a scan shows a platform record that the tenant has replaced since", async () => {
    const { of, write } = await catalogue();
    await write(child, sighting("4", { score: 1 }));
    const query = { ...queryOf("", { sort: "score|asc" }), limit: 1, shape: "records" as const };
    const before = await everyPage(of(child), query);
    let pages = 0;
    const seen = await everyPage(of(child), query, async () => {
      pages += 1;
      if (pages === 1) await write(child, sighting("2", { score: 9 }));
      if (pages === 2) await write(child, sighting("5", { name: "NAME 7" }));
    });
    expect(seen).toEqual(before);
    // The child has a record of this name already.
    await write(platformCid, sighting("7"));
    const sorted = async (cid: string) =>
      (await of(cid).page(queryOf("", { sort: "score|asc" }))).items;
    expect(await sorted(child)).toEqual(["1", "3", "4", "2", "5"]);
    expect(await sorted(parent)).toEqual(["1", "2", "3", "7"]);
  });

  test("a scan keeps the tenant's own record after its removal", async () => {
    const { of, store, write } = await catalogue();
    await write(child, sighting("2", { score: 5 }));
    const query = { ...queryOf("", { sort: "score|asc" }), limit: 1, shape: "records" as const };
    const before = await everyPage(of(child), query);
    const seen = await everyPage(of(child), query, () =>
      store.write(child, (transaction) =>
        transaction.records(catalogueSightings).remove(["2"], now),
      ),
    );
    expect(seen).toEqual(before);
    const texts = await of(child).get(["2"], now);
    expect(JSON.parse(texts.get("2") ?? "")).toMatchObject({ score: 1 });
  });

  test("equal records follow the order of rows in both directions, the platform's first", async () => {
    const { of, write } = await catalogue();
    await write(child, sighting("4", { score: 1 }), sighting("5", { score: 1 }));
    const sorted = async (sort: string) =>
      (await of(child).page(queryOf("", { sort, limit: 9 }))).items;
    expect(await sorted("score|asc")).toEqual(["1", "2", "3", "4", "5"]);
    expect(await sorted("score|desc")).toEqual(["5", "4", "3", "2", "1"]);
    expect(
      await everyPage(of(child), { ...queryOf("", { sort: "score|desc" }), limit: 2 }),
    ).toEqual(["5", "4", "3", "2", "1"]);
  });

  test("a total cached for one reader is not used for another", async () => {
    const { of, write } = await catalogue();
    const total = async (cid: string) =>
      (await of(cid).page(queryOf("score:1", { offset: 0 }))).total;
    expect([await total(parent), await total(child)]).toEqual([3, 3]);
    await write(child, sighting("2", { score: 9 }));
    expect([await total(parent), await total(child)]).toEqual([3, 2]);
    await write(platformCid, sighting("6", { score: 1 }));
    expect([await total(parent), await total(child)]).toEqual([4, 3]);
    const { store } = await newStore(engine, [taggedSightings]);
    await store.write(child, (transaction) =>
      transaction.records(taggedSightings).insert([sighting("1", { tags: ["red"] })], now),
    );
    for (const [tags, count] of [
      [["red"], 1],
      [["blue"], 0],
      [["red"], 1],
    ] as const) {
      const records = store.records(taggedSightings, { cid: child, tags });
      expect(await records.count(filterOf(""), now)).toBe(count);
    }
  });

  test("without a scope a transaction sees every record, and cannot use fields that depend on the reader", async () => {
    const { store } = await newStore(engine, [taggedSightings]);
    await store.write(child, async (transaction) => {
      const all = transaction.records(taggedSightings);
      await all.insert([sighting("1", { tags: ["red"] }), sighting("2")], now);
      expect([...(await all.getForUpdate(["1", "2"])).keys()]).toEqual(["1", "2"]);
      const blue = transaction.records(taggedSightings, { cid: child, tags: ["blue"] });
      expect([...(await blue.getForUpdate(["1", "2"])).keys()]).toEqual(["2"]);
      await blue.remove(["1"], now);
      await expect(blue.replace([sighting("1")], now)).rejects.toThrow(/nothing to replace at 1/);
      expect(await all.count(filterOf(""), now)).toBe(2);
      expect(await blue.count(where.equal("held", false), now)).toBe(1);
      await expect(all.count(where.equal("held", true), now)).rejects.toThrow(
        "held depends on the reader",
      );
    });
  });

  // SQLite has no row-level security.
  if (engine.name === "postgres") {
    test("row-level security shows a tenant its own records and the platform's", async () => {
      const { store, url } = await newStore(engine, [catalogueSightings, sightings]);
      const insert = (cid: string, id: string) =>
        store.write(cid, (transaction) =>
          transaction.records(catalogueSightings).insert([sighting(id, { tags: [id] })], now),
        );
      await insert(platformCid, "1");
      await insert(parent, "2");
      await insert(stranger, "3");
      const seenAs = async (table: string, column: string, cid: string) => {
        const rows = await administer(
          url,
          `set role security_platform; select set_config('app.cids', '${cid}', false);
           select distinct ${column} as id from ${table} order by 1`,
        );
        return (rows as readonly { id: string }[]).map(({ id }) => id);
      };
      for (const [table, column] of [
        ["test_catalogue_sightings", "id"],
        ["test_catalogue_sightings__values", "value"],
      ] as const) {
        expect(await seenAs(table, column, parent)).toEqual(["1", "2"]);
        expect(await seenAs(table, column, stranger)).toEqual(["1", "3"]);
        expect(await seenAs(table, column, "")).toEqual(["1"]);
      }
      await store.write(platformCid, (transaction) =>
        transaction.records(sightings).insert([sighting("4")], now),
      );
      expect(await seenAs("test_sightings", "id", parent)).toEqual([]);
    });
  }

  test("row-level security follows a resource that becomes visible to all, and back", async () => {
    const own = { ...catalogueSightings, visibility: { sources: ["own"] } } as const;
    const { store, url, clock } = await newStore(engine, [own]);
    await store.write(platformCid, (transaction) =>
      transaction.records(own).insert([sighting("1")], now),
    );
    await store.close();
    const visibleIn = async (resource: Resource<Sighting>) => {
      const again = await openStoreAt({ url, clock, resources: [resource] });
      const page = await again.records(resource, { cid: child }).page(queryOf(""));
      await again.close();
      return page.items;
    };
    expect(await visibleIn(catalogueSightings)).toEqual(["1"]);
    expect(await visibleIn(own)).toEqual([]);
    expect(await visibleIn(catalogueSightings)).toEqual(["1"]);
  });
});
