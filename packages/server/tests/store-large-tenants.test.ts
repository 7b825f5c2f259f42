/** @module-tag exhaustive */
import { evaluate, type FilterRecord } from "@security-platform/fql";
import { expect, onTestFinished, test } from "vitest";
import type { Resource } from "../src/store/types/types.ts";
import { forEachEngine } from "./support/engines.ts";
import { administer } from "./support/raw-sql.ts";
import { recordedReads } from "./support/recorded-reads.ts";
import { child, everyPage, filterOf, later, newStore, now, queryOf } from "./support/store.ts";
import { sighting, sightingFields, sightings, type Sighting } from "./support/sightings.ts";

const records = 12_000;
/** From this record on, they have a tag of their own. */
const late = 6_500;
/** The same of the last tag. */
const last = 9_000;

const lowered: Resource<Sighting> = { ...sightings, folded: ["name"] };

const numbered = (id: number): Sighting =>
  sighting(String(id), {
    // Hardly any differs in case, as in a resource whose names are stored in lower case.
    name: `${id % 1_000 === 7 ? "NAME" : "name"} ${id}`,
    kind: id % 2 === 0 ? "even" : "odd",
    score: id,
    seen_at: later(id * 1_000).toISOString(),
    level: id % 3 === 0 ? "low" : "high",
    tags: [
      "all",
      `tenth ${id % 10}`,
      ...(id % 2 === 0 ? ["evens"] : []),
      ...(id >= last ? ["last"] : []),
      ...(id < late ? ["early", "Early"] : ["late"]),
    ],
    ports: [id % 5, 80],
    ...(id % 7 === 0 ? { expires_at: later(-1).toISOString() } : {}),
  });

forEachEngine((engine) => {
  /** With superseded and deleted versions. The number of rows is that of a tenant in which counting is worth it. */
  const fill = async () => {
    const { store, url } = await newStore(engine, [lowered]);
    const all = Array.from({ length: records }, (_, id) => numbered(id));
    await store.write(child, (transaction) => transaction.records(lowered).insert(all, now));
    const changed = all.slice(late - 50, late + 50).map((each) => ({
      ...each,
      score: -Number(each.score),
      // The version before has another tag.
      tags: (each.tags ?? []).filter((tag) => !tag.startsWith("tenth")),
    }));
    const removed = all.slice(late + 100, late + 200).map(({ id }) => id);
    await store.write(child, async (transaction) => {
      await transaction.records(lowered).replace(changed, now);
      await transaction.records(lowered).remove(removed, now);
    });
    await administer(
      url,
      "update write_numbers set rows = 1000000 where resource = 'test_sightings'; select 1",
    );
    // Afterwards PostgreSQL knows that the index has no rows which a reader must not see.
    await administer(url, engine.name === "postgres" ? "vacuum analyze" : "analyze");
    const current = new Map(all.map((each) => [each.id, each]));
    for (const each of changed) current.set(each.id, each);
    for (const id of removed) current.delete(id);
    return { url, store, current: [...current.values()] };
  };
  let filled: ReturnType<typeof fill> | undefined;
  const reads = async () => {
    filled ??= fill();
    const { url, current } = await filled;
    const recorded = recordedReads(url, child, lowered);
    onTestFinished(() => recorded.close());
    const found = (filter: string) =>
      current
        .filter((each) =>
          evaluate(filterOf(filter), each as unknown as FilterRecord, sightingFields),
        )
        .map(({ id }) => id);
    return { ...recorded, found };
  };

  test("large answers are those of a search in memory", { tags: ["nightly"] }, async () => {
    const { records: list, found } = await reads();
    for (const filter of [
      "tags:'late'",
      "tags:'all'",
      "tags:['early','Early']",
      "tags:*'E*'",
      "tags:*'*arl*'",
      "tags:*",
      "labels:'EARLY'",
      "ports:80",
      "kind:'even'",
      "kind:['even','none']",
      "kind:*'e*'",
      "kind:*",
      "score:>6000",
      "score:>=-7000+score:<7000",
      "score:>7000+score:<=7010",
      "score:<7010+level:'low'+score:>=7001+score:>7000",
      "seen_at:>'2026-03-01T13:40:00Z'",
      "name:*'NAME 1*'",
      "name:*'n*'",
      "name:['NAME 1007','name 8']",
      "name:*'name*'+tags:'late'+kind:'even'",
      "tags:'all'+ports:80+kind:'odd'",
      "tags:'late'+kind:'even'",
      "tags:'late'+tags:'all'+level:'low'",
      "tags:'late'+score:>6000",
      "tags:'tenth 3'+tags:'Early'+score:>-7000",
      "score:7007+tags:'tenth 7'+tags:['late','none']+tags:*'ten*'",
      "tags:['tenth 3','tenth 5']+score:>=6460+score:<9000+kind:'odd'",
      "tags:'tenth 3'+labels:'LATE'+ports:3",
      "tags:!'late'+kind:'even'",
      "deleted:true",
      "tags:'late'+deleted:false",
    ]) {
      const expected = filter === "deleted:true" ? null : found(filter);
      const query = { ...queryOf(filter), limit: 2_000 };
      const total = await list.count(filterOf(filter), now);
      const { items, total: shown } = await list.page({ ...query, limit: 30, offset: 0 });
      expect(shown, filter).toBe(total);
      if (expected === null) {
        expect(total).toBe(100);
        continue;
      }
      expect(total, filter).toBe(expected.length);
      expect(items, filter).toEqual(expected.slice(0, 30));
      expect((await list.page({ ...query, limit: 5, offset: 4_000 })).items, filter).toEqual(
        expected.slice(4_000, 4_005),
      );
      expect(await everyPage(list, query), filter).toEqual(expected);
      for (const sort of ["score|asc", "score|desc"]) {
        const sorted = await list.page({ ...queryOf(filter, { sort }), limit: 20, offset: 0 });
        const score = (id: string) => {
          const number = Number(id);
          return number >= late - 50 && number < late + 50 ? -number : number;
        };
        const byScore = expected.toSorted((left, right) => score(left) - score(right));
        const inOrder = sort === "score|asc" ? byScore : byScore.toReversed();
        expect(sorted.items, `${filter} by ${sort}`).toEqual(inOrder.slice(0, 20));
      }
    }
  });

  test("a page of the newest records does not read the others", async () => {
    const { records: list, rowsReadIn } = await reads();
    for (const [filter, sort, most] of [
      ...(engine.name === "postgres"
        ? ([
            ["tags:'late'", "", 200],
            ["tags:'late'+kind:'even'", "", 300],
          ] as const)
        : []),
      ["score:>6400", "score|asc", 300],
      ["seen_at:>'2026-03-01T13:40:00Z'+level:'low'", "seen_at|asc", 1_000],
      ["score:>9000+score:<=9300", "seen_at|desc", 2_000],
    ] as const) {
      const query = { ...queryOf(filter, { sort }), limit: 10 };
      const read = await rowsReadIn(async () => {
        expect((await list.page(query)).items).toHaveLength(10);
      });
      expect(read, `${filter} by ${sort}`).toBeLessThan(most);
    }
  });

  // SQLite starts only from a simple select.
  if (engine.name === "postgres") {
    test("alternatives of few matches each are read from their indexes", async () => {
      const { records: list, rowsReadIn, found } = await reads();
      for (const filter of [
        "name:'name 7',tags:'none'",
        "score:9000,tags:'none',kind:'none'",
        "(name:'NAME 70'+level:'high'),(tags:'all'+score:71),id:'72'",
        "tags:'none',tags:*'non*',labels:'NONE'",
        "(tags:['none','no'],score:<3)+kind:'even'",
      ]) {
        const expected = found(filter);
        const query = queryOf(filter, { sort: "seen_at|desc" });
        const read = await rowsReadIn(async () => {
          expect(await list.count(filterOf(filter), now), filter).toBe(expected.length);
          const { items } = await list.page({ ...query, offset: 0 });
          expect(items, filter).toEqual(expected.toReversed());
          expect((await list.page(query)).items, filter).toEqual(expected.toReversed());
        });
        expect(read, filter).toBeLessThan(records / 4);
      }
    });
  }

  if (engine.name === "sqlite") {
    test("a total of many matches ends at the time limit of a statement", async () => {
      const { records: list, rowsReadIn } = await reads();
      for (const filter of ["tags:'all'", "kind:*", "score:>2000", "tags:'late'+kind:*"]) {
        // These are the looks at the time.
        const seen = await rowsReadIn(() => list.count(filterOf(filter), now));
        expect(seen, filter).toBeGreaterThan(500);
      }
    });
  }

  test("a page with the total of two conditions starts from the counted rows", async () => {
    const { records: list, statementsOf, found } = await reads();
    const filter = "tags:'tenth 3'+kind:'odd'";
    const statements = await statementsOf(async () => {
      const query = { ...queryOf(filter, { sort: "score|asc" }), limit: 2_000, offset: 0 };
      const { items, total } = await list.page(query);
      const expected = found(filter);
      expect(items.toSorted()).toEqual(expected.toSorted());
      expect(total).toBe(expected.length);
    });
    const query = queryOf(filter, { sort: "seen_at|asc" });
    expect((await list.page({ ...query, limit: 2_000 })).items).toEqual(found(filter));
    const page = statements.find((text) => text.includes("order by"));
    expect(page).not.toContain("__values");
  });

  test("a page of two common conditions that no record satisfies together does not read all records", async () => {
    const { records: list, rowsReadIn, planOf, found } = await reads();
    // Two of them have 6,000 records each. The last one has no index, and no record lacks a score.
    for (const filter of ["tags:'evens'+kind:'odd'", "tags:'evens'+kind:'odd'+level:'high'"]) {
      expect(found(filter)).toEqual([]);
      const query = { ...queryOf(`${filter}+score:>-9000`, { sort: "score|asc" }), limit: 10 };
      const read = await rowsReadIn(async () => {
        expect((await list.page(query)).items).toEqual([]);
      });
      expect((await list.page({ ...query, offset: 0 })).total).toBe(0);
      // Entries of one index.
      if (engine.name === "sqlite") expect(read, filter).toBeLessThan(records * 0.6);
      const plan = await planOf(() => list.page(query));
      expect(plan, filter).not.toMatch(/test_sightings__score\b/);
    }
  });

  test("a page of matches at the end of its order does not read all records before them", async () => {
    const { records: list, statementsOf, found } = await reads();
    const filter = "tags:'last'+level:'high'";
    const inOrder = found(filter);
    for (const sort of ["score|asc", "score|desc"]) {
      const query = { ...queryOf(filter, { sort }), limit: 10 };
      let items: readonly string[] = [];
      const statements = await statementsOf(async () => {
        ({ items } = await list.page(query));
      });
      const expected = sort === "score|asc" ? inOrder : inOrder.toReversed();
      expect(items).toEqual(expected.slice(0, 10));
      const walks = statements.filter((text) => text.includes("order by")).length;
      // The key at which the walk ends, the walk, and a page that starts from the tag.
      expect(walks, sort).toBe(sort === "score|asc" ? 3 : 2);
      expect(await everyPage(list, query), sort).toEqual(expected);
    }
  });

  test("a total of many matches reads one index", async () => {
    const { records: list, planOf } = await reads();
    for (const filter of ["tags:'all'", "kind:'even'", "score:>2000"]) {
      const plan = await planOf(() => list.count(filterOf(filter), now));
      expect(plan, filter).toMatch(/COVERING INDEX|Index Only Scan|Bitmap Index Scan|Seq Scan/);
      expect(plan, filter).toMatch(/test_sightings__hidden/);
      expect(plan, filter).not.toMatch(/SCAN t\b|SEARCH [tv] USING INDEX/);
    }
  });
});
