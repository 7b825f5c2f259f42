import { expect, test } from "vitest";
import { forEachEngine } from "./support/engines.ts";
import { child, filterOf, newStore, now, parent } from "./support/store.ts";
import { sighting, sightings, type Sighting } from "./support/sightings.ts";

const all: readonly Partial<Sighting>[] = [
  {
    level: "low",
    score: 0.1,
    tags: ["red", "blue"],
    ports: [80, 443],
    seen_at: "2026-01-01T00:00:00Z",
  },
  { level: "high", score: 0.2, tags: ["red"], ports: [443], seen_at: "2026-01-01T23:00:00Z" },
  { level: "low", score: 0.3, tags: [], seen_at: "2026-02-01T00:00:00Z" },
  { level: "high", score: -4, tags: ["red", "green"], active: true },
  { score: 7, active: false },
];

forEachEngine((engine) => {
  const facetsOf = async () => {
    const { store } = await newStore(engine);
    const insert = (cid: string, records: readonly Partial<Sighting>[]) =>
      store.write(cid, (transaction) =>
        transaction.records(sightings).insert(
          records.map((record, at) => sighting(`${cid[0]}${at}`, record)),
          now,
        ),
      );
    await insert(child, all);
    await insert(parent, [{ level: "high", tags: ["red", "mauve"], score: 100 }]);
    // Old versions and deleted records, which facets must not count.
    await store.write(child, async (transaction) => {
      const into = transaction.records(sightings);
      await into.insert([sighting("gone", { tags: ["red"], kind: "k", score: 5 })], now);
    });
    await store.write(child, async (transaction) => {
      const into = transaction.records(sightings);
      await into.remove(["gone"], now);
      await into.replace([sighting("b0", all[0])], now);
    });
    return store;
  };
  const options = { now, limit: 10, order: "count", direction: "desc" } as const;

  test("results do not depend on the queries of other readers", async () => {
    const store = await facetsOf();
    // The first filter excludes all records of the parent, after the second condition was
    // evaluated.
    const predicate = filterOf("from_parent:false+score:<=2");
    const answersFor = async (records: "own" | "both") => {
      const reader = store.records(sightings, { cid: child, records });
      const { facets } = reader;
      return {
        groups: await facets.groups("tags", predicate, { ...options, order: "value" }),
        timestamps: await facets.timestampGroups("seen_at", predicate, { now, length: 7 }),
        ranks: await facets.valuesAtRanks("score", predicate, { now, ranks: [0] }),
        distinct: await reader.distinct("tags", predicate, { now, limit: 2 }),
        after: await reader.distinct("tags", predicate, { now, limit: 2, after: "blue" }),
        count: await reader.countDistinct("tags", predicate, { now, ceiling: 9 }),
      };
    };
    const both = await answersFor("both");
    expect(both).toEqual({
      groups: {
        facets: [
          { value: "red", count: 3 },
          { value: "green", count: 1 },
          { value: "blue", count: 1 },
        ],
        total: 3,
        records: 5,
      },
      timestamps: [
        { prefix: "2026-01", count: 2 },
        { prefix: "2026-02", count: 1 },
      ],
      ranks: [-4],
      distinct: ["blue", "green"],
      after: ["green", "red"],
      count: 3,
    });
    expect(await answersFor("own")).toEqual(both);
    expect(await answersFor("both")).toEqual(both);
  });

  test("groups count records, not versions, with the parent's if requested", async () => {
    const store = await facetsOf();
    const { facets } = store.records(sightings, { cid: child });
    expect(await facets.groups("tags", filterOf(""), options)).toEqual({
      facets: [
        { value: "red", count: 3 },
        { value: "blue", count: 1 },
        { value: "green", count: 1 },
      ],
      total: 3,
      records: 5,
    });
    expect((await facets.groups("tags", filterOf("deleted:true"), options)).facets).toEqual([
      { value: "red", count: 1 },
    ]);
    expect((await facets.groups("kind", filterOf(""), options)).facets).toEqual([]);
    expect(
      (await facets.groups("active", filterOf(""), { ...options, order: "value" })).facets,
    ).toEqual([
      { value: true, count: 1 },
      { value: false, count: 1 },
    ]);
    const both = store.records(sightings, { cid: child, records: "both" });
    expect((await both.facets.groups("level", filterOf(""), options)).facets).toEqual([
      { value: "high", count: 3 },
      { value: "low", count: 2 },
    ]);
    expect((await both.facets.groups("from_parent", filterOf(""), options)).facets).toEqual([
      { value: false, count: 5 },
      { value: true, count: 1 },
    ]);
    expect(
      await both.facets.groups("tags", filterOf("from_parent:true"), { ...options, limit: 1 }),
    ).toEqual({
      facets: [{ value: "mauve", count: 1 }],
      total: 2,
      records: 2,
    });
    const inherited = store.records(sightings, { cid: parent, records: "inherited" });
    expect(await inherited.facets.groups("level", filterOf(""), options)).toEqual({
      facets: [],
      total: 0,
      records: 0,
    });
  });

  test("an empty page of groups still has its totals", async () => {
    const { facets } = (await facetsOf()).records(sightings, { cid: child });
    expect(await facets.groups("tags", filterOf(""), { ...options, offset: 9 })).toEqual({
      facets: [],
      total: 3,
      records: 5,
    });
  });

  test("sums of fractions are the same on both engines", async () => {
    const { facets } = (await facetsOf()).records(sightings, { cid: child });
    expect(await facets.statistics("score", filterOf("score:>0+score:<1"), now)).toEqual({
      count: 3,
      sum: 0.1 + 0.2 + 0.3,
      min: 0.1,
      max: 0.3,
    });
    expect(await facets.statistics("ports", filterOf(""), now)).toEqual({
      count: 3,
      sum: 966,
      min: 80,
      max: 443,
    });
    expect(await facets.statistics("seen_at", filterOf(""), now)).toEqual({
      count: 3,
      sum: null,
      min: "2026-01-01T00:00:00.000000000Z",
      max: "2026-02-01T00:00:00.000000000Z",
    });
    expect(await facets.statistics("score", filterOf("kind:'none'"), now)).toEqual({
      count: 0,
      sum: null,
      min: null,
      max: null,
    });
  });

  test("fractions are added in ascending order", async () => {
    const { store } = await newStore(engine);
    const tenths = Array.from({ length: 10 }, (_, at) => sighting(`${at}`, { score: 0.1 }));
    await store.write(child, (transaction) => transaction.records(sightings).insert(tenths, now));
    const { facets } = store.records(sightings, { cid: child });
    const { sum } = await facets.statistics("score", filterOf(""), now);
    expect(sum).toBe(0.9999999999999999);
  });

  test("groups times by prefix, finds values by rank, counts distinct values", async () => {
    const { facets } = (await facetsOf()).records(sightings, { cid: child });
    expect(await facets.timestampGroups("seen_at", filterOf(""), { now, length: 10 })).toEqual([
      { prefix: "2026-01-01", count: 2 },
      { prefix: "2026-02-01", count: 1 },
    ]);
    expect(await facets.valuesAtRanks("score", filterOf(""), { now, ranks: [4, 0, 9, 2] })).toEqual(
      [7, -4, 0.2],
    );
    expect(await facets.cardinality("ports", filterOf(""), now)).toBe(2);
    expect(await facets.cardinality("level", filterOf("score:>0"), now)).toBe(2);
  });
});
