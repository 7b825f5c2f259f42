import { expect, onTestFinished, test } from "vitest";
import type { PageQuery } from "../src/store/types/types.ts";
import { forEachEngine } from "./support/engines.ts";
import { recordedReads } from "./support/recorded-reads.ts";
import { child, filterOf, later, newStore, now, queryOf } from "./support/store.ts";
import { sighting, sightings, type Sighting } from "./support/sightings.ts";

const kinds = ["common", "usual", "other"];

/** All kinds except one are common, scores are spread, and every second record has expired. */
const numbered = (id: number): Sighting =>
  sighting(String(id), {
    name: `Name ${id}`,
    kind: id === 77 ? "rare" : (kinds[id % kinds.length] ?? null),
    score: (id * 7_919) % 10_007,
    seen_at: later(id * 1_000).toISOString(),
    level: id % 2 === 0 ? "low" : "high",
    tags: id % 3_000 === 5 ? ["few", "all"] : id % 4_000 === 7 ? ["Capital"] : ["all"],
    state: "open",
    ...(id % 2 === 0 ? { expires_at: later(-id * 1_000 - 1).toISOString() } : {}),
  });

forEachEngine((engine) => {
  const fill = async (): Promise<string> => {
    const { store, url } = await newStore(engine);
    const all = Array.from({ length: 12_000 }, (_, id) => numbered(id));
    await store.write(child, (transaction) => transaction.records(sightings).insert(all, now));
    return url;
  };
  /** All tests only read the records. */
  let database: Promise<string> | undefined;
  const filled = async () => {
    database ??= fill();
    const reads = recordedReads(await database, child, sightings);
    onTestFinished(() => reads.close());
    return reads;
  };

  test("a page in the order of an index reads that index and sorts nothing", async () => {
    const { records, planOf } = await filled();
    for (const [filter, sort, index] of [
      ["", "", /test_sightings_(pkey|1)\b/],
      ["", "score|desc", /test_sightings__score\b/],
      ["level:'low'+tags:'all'+active:!true", "score|asc", /test_sightings__score\b/],
      ["kind:'common'+level:'high'", "score|desc", /test_sightings__score\b/],
      ["kind:'usual'", "name|asc", /test_sightings__name\b/],
    ] as const) {
      const query: PageQuery = { ...queryOf(filter, { sort }), limit: 10 };
      const first = await planOf(() => records.page(query));
      const { next } = await records.page(query);
      const second = await planOf(() => records.page({ ...query, ...(next && { after: next }) }));
      for (const plan of [first, second]) {
        expect(plan, `${filter} by ${sort}`).toMatch(index);
        expect(plan, `${filter} by ${sort}`).not.toMatch(/Seq Scan|SCAN t\b|TEMP B-TREE|Sort/);
      }
    }
  });

  test("records without the sort key are only searched if the filter admits them", async () => {
    const { records, statementsOf } = await filled();
    const searches = async (filter: string) => {
      const query = queryOf(filter, { sort: "score|asc" });
      return (await statementsOf(() => records.page(query))).length;
    };
    expect(await searches("level:'high'+kind:'rare'")).toBe(2);
    expect(await searches("score:>10000,kind:'rare'")).toBe(2);
    expect(await searches("score:!50+kind:'rare'")).toBe(2);
    expect(await searches("score:>10000")).toBe(1);
    expect(await searches("kind:'rare'+(score:>10006,score:<0)")).toBe(1);
  });

  test("a list of few records that fits on a page is not counted", async () => {
    const { store, url } = await newStore(engine);
    const few = Array.from({ length: 20 }, (_, id) => numbered(id));
    await store.write(child, (transaction) => transaction.records(sightings).insert(few, now));
    const { records, statementsOf, close } = recordedReads(url, child, sightings);
    onTestFinished(close);
    const statementsFor = async (offset: number, limit: number) => {
      const query: PageQuery = { ...queryOf("level:'high'"), limit, offset };
      const statements = await statementsOf(async () => {
        const { items, total } = await records.page(query);
        expect(items).toHaveLength(Math.max(0, Math.min(limit, 10 - offset)));
        expect(total).toBe(10);
      });
      return statements.length;
    };
    expect(await statementsFor(0, 10)).toBe(1);
    // The list goes on, so it is counted, and the total is cached.
    expect(await statementsFor(0, 3)).toBe(2);
    expect(await statementsFor(3, 3)).toBe(1);
    expect(await statementsFor(11, 10)).toBe(0);
  });

  test("a page of few matches starts from the rarest condition", async () => {
    const { records, planOf } = await filled();
    for (const [filter, index] of [
      ["kind:'rare'", /test_sightings__kind\b/],
      ["level:'low'+kind:'rare'", /test_sightings__kind\b/],
      ["name:'NAME 500'", /test_sightings__name\b/],
      ["name:*'Name 50*'", /test_sightings__name\b/],
      ["tags:'few'+level:'high'", /test_sightings__values__value\b/],
      ["id:'500'", /test_sightings__id\b/],
      ["score:>10000", /test_sightings__score\b/],
    ] as const) {
      const query: PageQuery = { ...queryOf(filter, { sort: "seen_at|desc" }), limit: 10 };
      const plan = await planOf(() => records.page(query));
      expect(plan, filter).toMatch(index);
      expect(plan, filter).not.toMatch(/__seen_at|Seq Scan on test_sightings|SCAN t\b/);
    }
  });

  test("a page with a total of few matches without an index uses the counted rows", async () => {
    const { records, planOf } = await filled();
    const few = { ...queryOf("level:'low'+score:<500", { sort: "seen_at|desc" }), limit: 10 };
    const query: PageQuery = { ...few, offset: 0 };
    const first = await records.page(query);
    expect(first.total).toBeGreaterThan(100);
    expect(first.items).toEqual((await records.page(few)).items);
    const plan = await planOf(() => records.page(query));
    expect(plan).toMatch(/test_sightings_(pkey|1)\b/);
    expect(plan).not.toMatch(/__seen_at|__score|Seq Scan on test_sightings|SCAN t\b/);
    const second = await records.page({ ...query, offset: 10 });
    expect(second.items).not.toEqual(first.items);
    expect(second.total).toBe(first.total);
  });

  test("a total of few matches among elements starts from the elements", async () => {
    const { records, planOf } = await filled();
    for (const [filter, index] of [
      ["tags:'few'", /test_sightings__values__value\b/],
      ["tags:'all'+tags:'few'+level:'high'", /test_sightings__values__value\b/],
      ["labels:'FEW'", /test_sightings__values__fold\b/],
      ["labels:'capital'", /test_sightings__values__fold\b/],
    ] as const) {
      const query: PageQuery = { ...queryOf(filter, { sort: "seen_at|desc" }), limit: 2 };
      const { total, items } = await records.page(query);
      expect(items.length, filter).toBe(2);
      expect(total).toBeUndefined();
      const plan = await planOf(() => records.page({ ...query, offset: 0 }));
      expect(plan, filter).toMatch(index);
      expect(plan, filter).not.toMatch(/Seq Scan on test_sightings|SCAN [tv]\b/);
      const counted = await records.page({ ...query, offset: 0 });
      expect(counted).toMatchObject({ items, total: filter.includes("capital") ? 3 : 4 });
    }
  });

  test("a total of few matches among elements starts from them after many conditions on columns", async () => {
    const { records, planOf } = await filled();
    const columns = Array.from({ length: 8 }, (_, least) => `score:>${least}`).join("+");
    const count = (filter: string) => records.count(filterOf(filter), now);
    // Counts the matches of the conditions, so that the next plan is that of the total alone.
    expect(await count(`${columns}+tags:'few'+level:'high'`)).toBe(4);
    const plan = await planOf(() => count(`${columns}+tags:'few'`));
    expect(plan).toMatch(/test_sightings__values__value\b/);
    expect(plan).not.toMatch(/__score|Seq Scan on test_sightings|SCAN [tv]\b/);
  });

  test("a total of fewer matches in a column than among elements starts from the column", async () => {
    const { records, planOf } = await filled();
    const count = (filter: string) => records.count(filterOf(filter), now);
    // Counts the matches of both conditions, so that the next plan is that of the total alone.
    expect(await count("tags:'few'+kind:'rare'+level:'high'")).toBe(0);
    expect(await planOf(() => count("tags:'few'+kind:'rare'"))).toMatch(/test_sightings__kind\b/);
  });

  test("a short page of many matches follows the index of its order", async () => {
    const { records, planOf } = await filled();
    const filter = "level:'low'+score:<4000";
    const query: PageQuery = { ...queryOf(filter, { sort: "seen_at|desc" }), limit: 10, offset: 0 };
    expect((await records.page(query)).total).toBeGreaterThan(2_000);
    expect(await planOf(() => records.page(query))).toMatch(/test_sightings__seen_at\b/);
    expect(await planOf(() => records.page({ ...query, limit: 3_000 }))).not.toMatch(/__seen_at/);
  });

  test("a page beyond the total needs no query", async () => {
    const { records, planOf } = await filled();
    const query: PageQuery = { ...queryOf("level:'medium'", { sort: "seen_at|desc" }), limit: 10 };
    expect(await records.page({ ...query, offset: 0 })).toEqual({ items: [], total: 0 });
    expect(await planOf(() => records.page({ ...query, offset: 0 }))).not.toMatch(/test_sightings/);
  });

  test("a field that changes on expiry is read in the order of its indexes", async () => {
    const { records, planOf } = await filled();
    const query: PageQuery = { ...queryOf("", { sort: "state|asc" }), limit: 10 };
    const plan = await planOf(() => records.page(query));
    expect(plan).toMatch(/test_sightings__state\b/);
    expect(plan).toMatch(/test_sightings__state__after\b/);
  });

  test("counting all records, and grouping them by an indexed field, reads no rows", async () => {
    const { records, planOf } = await filled();
    const options = { now, limit: 5, order: "count", direction: "desc" } as const;
    for (const question of [
      () => records.count(filterOf(""), now),
      () => records.facets.groups("kind", filterOf(""), options),
      () => records.facets.groups("tags", filterOf(""), options),
    ]) {
      const plan = await planOf(question);
      expect(plan).toMatch(/COVERING INDEX|Index Only Scan|Bitmap Index Scan|Seq Scan/);
      expect(plan).toMatch(/test_sightings__hidden/);
      expect(plan).not.toMatch(/SCAN t\b|SEARCH [tv] USING INDEX/);
    }
  });
});
