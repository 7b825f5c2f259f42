/** @module-tag exhaustive */
import { describe, expect, onTestFinished, test } from "vitest";
import type { PageQuery } from "../src/store/types/types.ts";
import { forEachEngine } from "./support/engines.ts";
import { administer } from "./support/raw-sql.ts";
import { recordedReads } from "./support/recorded-reads.ts";
import { child, filterOf, later, newStore, now, queryOf } from "./support/store.ts";
import { sighting, sightings, type Sighting } from "./support/sightings.ts";

const kinds = ["common", "usual", "other"];
/** Far fewer rows than the 12,000 records, which a plan that reads all of them exceeds. */
const few = 1_000;

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

  test("a page in the order of an index reads few records", async () => {
    const { records, rowsReadIn } = await filled();
    for (const [filter, sort] of [
      ["", ""],
      ["", "score|desc"],
      ["level:'low'+tags:'all'+active:!true", "score|asc"],
      ["kind:'common'+level:'high'", "score|desc"],
      ["kind:'usual'", "name|asc"],
    ] as const) {
      const query: PageQuery = { ...queryOf(filter, { sort }), limit: 10 };
      const { next } = await records.page(query);
      for (const page of [query, { ...query, ...(next && { after: next }) }]) {
        const read = await rowsReadIn(() => records.page(page));
        expect(read, `${filter} by ${sort}`).toBeLessThan(few);
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

  describe("of matches spread over the records", () => {
    const spread = Array.from({ length: 12_000 }, (_, id) =>
      sighting(String(id), {
        name: `Name ${id}`,
        kind: `kind ${id % 5}`,
        score: (id * 7_919) % 10_007,
        tags: [`tag ${Math.floor(id / 7) % 12}`, "all"],
      }),
    );
    const hasTag = (id: number) => Math.floor(id / 7) % 12 === 4;
    const fillSpread = async (): Promise<string> => {
      const { store, url } = await newStore(engine);
      await store.write(child, (transaction) => transaction.records(sightings).insert(spread, now));
      await administer(url, engine.name === "postgres" ? "vacuum analyze" : "analyze");
      return url;
    };
    let spreadDatabase: Promise<string> | undefined;
    const openSpread = async () => {
      spreadDatabase ??= fillSpread();
      const reads = recordedReads(await spreadDatabase, child, sightings);
      onTestFinished(() => reads.close());
      return reads;
    };
    const allOf = (filter: string) => ({ ...queryOf(filter, { sort: "score|asc" }), limit: 1_500 });
    /** The number of rows that a page of all matches reads. */
    const rowsReadBy = async (filter: string, isMatch: (id: number) => boolean) => {
      const { records, rowsReadIn } = await openSpread();
      return rowsReadIn(async () => {
        const { items } = await records.page(allOf(filter));
        const matches = spread.filter((_, id) => isMatch(id)).map(({ id }) => id);
        expect(items.toSorted(), filter).toEqual(matches.toSorted());
      });
    };

    if (engine.name === "sqlite") {
      /** What is looked up for each version that the rarest condition finds. */
      const looksFor = async (filter: string) => {
        const { records, planOf } = await openSpread();
        const [plan = ""] = (await planOf(() => records.page(allOf(filter)))).split("SCAN l");
        return plan.match(/(?<=CORRELATED SCALAR SUBQUERY \d+\nSEARCH )[tv] USING .*/g) ?? [];
      };

      test("a second rare condition is checked before the rows are read", async () => {
        for (const [filter, index] of [
          ["tags:'tag 4'+kind:'kind 2'", /INDEX test_sightings__kind .*row=\? AND valid_from>/],
          ["kind:'kind 3'+tags:'tag 4'+tags:'all'", /INDEX test_sightings__kind .*row=\?/],
          [
            "tags:'tag 4'+tags:'tag 5'",
            /INDEX test_sightings__values__value .*row=\? AND valid_from>/,
          ],
        ] as const) {
          const looks = await looksFor(filter);
          expect(looks.filter((each) => index.test(each)).length, filter).toBeGreaterThan(0);
        }
      });

      test("a condition with many values is checked by the elements of each row", async () => {
        const many = Array.from({ length: 500 }, (_, at) => `'tag ${at < 3 ? at : at + 100}'`);
        const looks = await looksFor(`kind:'kind 3'+tags:[${many.join(",")}]`);
        expect(looks.length).toBeGreaterThan(0);
        for (const each of looks) expect(each).toContain("v USING PRIMARY KEY");
      });

      test("a condition that many records satisfy is not looked up before the rows are read", async () => {
        for (const filter of ["tags:'tag 4'+tags:'all'", "kind:'kind 2'+tags:*'tag*'"]) {
          const looks = await looksFor(filter);
          expect(
            looks.filter((each) => each.includes("valid_from>")),
            filter,
          ).toEqual([]);
        }
      });

      test("what is looked up before the rows are read ends at the time limit of a statement", async () => {
        const filter = "kind:'kind 2'+tags:['tag 1','tag 4']";
        const isMatch = (id: number) => id % 5 === 2 && [1, 4].includes(Math.floor(id / 7) % 12);
        // These are the looks at the time. About 2,000 versions have one of the tags.
        expect(await rowsReadBy(filter, isMatch)).toBeGreaterThan(few);
      });
    }

    if (engine.name === "postgres") {
      test("the elements of a row are looked up in a hash of a list", async () => {
        const { records, planOf } = await openSpread();
        const many = Array.from({ length: 500 }, (_, at) => `'tag ${at < 3 ? at : at + 100}'`);
        const filter = `kind:'kind 3'+score:<2000+tags:[${many.join(",")}]`;
        const plan = await planOf(() => records.count(filterOf(filter), now));
        expect(plan).toMatch(/value = \(?hashed SubPlan/);
        expect(plan).not.toContain("value = ANY");
      });
    }

    test("the matches are not read once more for records without the sort key", async () => {
      const read = await rowsReadBy("tags:'tag 4'", hasTag);
      // This filter admits no records without the key.
      expect(read).toBeLessThan((await rowsReadBy("tags:'tag 4'+score:>-1", hasTag)) * 1.5);
    });
  });

  test("a list of few records that fits on a page is not counted", async () => {
    const { store, url } = await newStore(engine);
    const twenty = Array.from({ length: 20 }, (_, id) => numbered(id));
    await store.write(child, (transaction) => transaction.records(sightings).insert(twenty, now));
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
    const { records, rowsReadIn } = await filled();
    for (const filter of [
      "kind:'rare'",
      "level:'low'+kind:'rare'",
      "name:'NAME 500'",
      "name:*'Name 50*'",
      "tags:'few'+level:'high'",
      "id:'500'",
      "score:>10000",
    ]) {
      const query: PageQuery = { ...queryOf(filter, { sort: "seen_at|desc" }), limit: 10 };
      expect(await rowsReadIn(() => records.page(query)), filter).toBeLessThan(few);
    }
  });

  test("a page with a total of few matches without an index uses the counted rows", async () => {
    const { records, rowsReadIn } = await filled();
    const page = { ...queryOf("level:'low'+score:<500", { sort: "seen_at|desc" }), limit: 10 };
    const query: PageQuery = { ...page, offset: 0 };
    const first = await records.page(query);
    const { total = 0 } = first;
    expect(total).toBeGreaterThan(100);
    expect(first.items).toEqual((await records.page(page)).items);
    const read = await rowsReadIn(() => records.page({ ...query, offset: 10 }));
    expect(read).toBeLessThan(10 * total);
    const second = await records.page({ ...query, offset: 10 });
    expect(second.items).not.toEqual(first.items);
    expect(second.total).toBe(total);
  });

  test("a total of few matches among elements starts from the elements", async () => {
    const { records, rowsReadIn } = await filled();
    for (const filter of [
      "tags:'few'",
      "tags:'all'+tags:'few'+level:'high'",
      "labels:'FEW'",
      "labels:'capital'",
    ]) {
      const query: PageQuery = { ...queryOf(filter, { sort: "seen_at|desc" }), limit: 2 };
      const { total, items } = await records.page(query);
      expect(items.length, filter).toBe(2);
      expect(total).toBeUndefined();
      const read = await rowsReadIn(() => records.page({ ...query, offset: 0 }));
      expect(read, filter).toBeLessThan(few);
      const counted = await records.page({ ...query, offset: 0 });
      expect(counted).toMatchObject({ items, total: filter.includes("capital") ? 3 : 4 });
    }
  });

  test("a search for rare words reads only the records with them", async () => {
    const worded = { ...sightings, words: "name" };
    const { store, url } = await newStore(engine, [worded]);
    const all = Array.from({ length: 12_000 }, (_, id) => numbered(id));
    await store.write(child, (transaction) => transaction.records(worded).insert(all, now));
    const { records, rowsReadIn, close } = recordedReads(url, child, worded);
    onTestFinished(close);
    for (const [filter, matches] of [
      ["name:~'name 578'", 11],
      ["name:~'ame 590'", 11],
      ["name:~'name 578'+level:'high'", 5],
      ["name:~'name 578'+kind:'common'+score:<3000", 1],
    ] as const) {
      const query: PageQuery = { ...queryOf(filter, { sort: "seen_at|desc" }), limit: 20 };
      const read = await rowsReadIn(async () => {
        expect((await records.page({ ...query, offset: 0 })).total).toBe(matches);
        expect((await records.page(query)).items).toHaveLength(matches);
      });
      expect(read, filter).toBeLessThan(all.length / 12);
    }
  });

  test("a total of few matches among elements starts from them after many conditions on columns", async () => {
    const { records, rowsReadIn } = await filled();
    const columns = Array.from({ length: 8 }, (_, least) => `score:>${least}`).join("+");
    const count = (filter: string) => records.count(filterOf(filter), now);
    expect(await count(`${columns}+tags:'few'+level:'high'`)).toBe(4);
    expect(await rowsReadIn(() => count(`${columns}+tags:'few'`))).toBeLessThan(few);
  });

  test("a total of fewer matches in a column than among elements starts from the column", async () => {
    const { records, rowsReadIn } = await filled();
    const count = (filter: string) => records.count(filterOf(filter), now);
    expect(await count("tags:'all'+kind:'rare'+level:'high'")).toBe(1);
    expect(await rowsReadIn(() => count("tags:'all'+kind:'rare'"))).toBeLessThan(few);
  });

  test("a short page of many matches follows the index of its order", async () => {
    const { records, rowsReadIn } = await filled();
    const filter = "level:'low'+score:<4000";
    const query: PageQuery = { ...queryOf(filter, { sort: "seen_at|desc" }), limit: 10, offset: 0 };
    expect((await records.page(query)).total).toBeGreaterThan(2_000);
    // The total is cached.
    expect(await rowsReadIn(() => records.page(query))).toBeLessThan(few);
  });

  test("a page beyond the total needs no query", async () => {
    const { records, statementsOf } = await filled();
    const query: PageQuery = { ...queryOf("level:'medium'", { sort: "seen_at|desc" }), limit: 10 };
    expect(await records.page({ ...query, offset: 0 })).toEqual({ items: [], total: 0 });
    expect(await statementsOf(() => records.page({ ...query, offset: 0 }))).toEqual([]);
  });

  test("a field that changes on expiry is read in the order of its indexes", async () => {
    const { records, rowsReadIn } = await filled();
    const query: PageQuery = { ...queryOf("", { sort: "state|asc" }), limit: 10 };
    expect(await rowsReadIn(() => records.page(query))).toBeLessThan(few);
  });

  // The number of rows does not tell whether only an index is read.
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
