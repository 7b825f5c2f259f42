/** @module-tag exhaustive */
import { evaluate, type FilterRecord } from "@security-platform/fql";
import { runs } from "@security-platform/fql/arbitraries";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { openStoreAt } from "../src/host/open-store-at.ts";
import { StoreError } from "../src/store/types/errors.ts";
import type { Resource, Store } from "../src/store/types/types.ts";
import { onPostgres } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { administer } from "./support/raw-sql.ts";
import { recordedReads } from "./support/recorded-reads.ts";
import { child, filterOf, newStore, now, parent, queryOf, stranger } from "./support/store.ts";
import {
  platformSightings,
  sighting,
  sightingFields,
  sightings,
  type Sighting,
} from "./support/sightings.ts";

const fields = ["sightings.name", "sightings.kind", "sightings.tags", "sightings.labels"];

/** Text with the characters that patterns, trigrams and case treat in their own way. */
const piece = fc.oneof(
  fc.constantFrom("abc", "ABC", "host-12", "bench", "xyz", "a", "b1"),
  fc.constantFrom("%", "_", "\\", "\\%", "'", "-", ".", " ", "\u0000", "\u0001"),
  fc.constantFrom("ß", "Σ", "ς", "İ", "привет", "É", "e\u0301", "𐐀", "💡"),
);
const texts = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(""));

const quoted = (pattern: string): string =>
  `'${pattern.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

const filter = fc
  .record({
    field: fc.constantFrom("name", "kind", "tags", "labels"),
    operator: fc.constantFrom("*", "~*"),
    parts: fc.array(texts, { minLength: 2, maxLength: 4 }),
    also: fc.constantFrom("", "+score:>20", "+tags:'abc'", "+name:*'*abc*'", ",kind:'abc'"),
  })
  .map(({ field, operator, parts, also }) => {
    const pattern = parts.join("*").replaceAll(/\*{2,}/g, "*");
    return `${field}:${operator}${quoted(pattern === "*" ? "*a*" : pattern)}${also}`;
  });

const record = fc.record({ name: texts, kind: texts, tags: fc.array(texts, { maxLength: 3 }) });

const numbered = (id: number, rest: Partial<Sighting> = {}): Sighting =>
  sighting(String(id), { name: `host-${id}.example`, score: id, ...rest });

onPostgres((engine) => {
  const open = async (url: string, resource: Resource<Sighting> = sightings): Promise<Store> => {
    const store = await openStoreAt({ url, clock: new ManualClock(), resources: [resource] });
    onTestFinished(() => store.close());
    return store;
  };
  const trigramsOf = ({ trigrams }: Store): NonNullable<Store["trigrams"]> => {
    if (trigrams === null) throw new Error("there are no trigrams");
    return trigrams;
  };
  const insert = (store: Store, cid: string, records: readonly Sighting[]) =>
    store.write(cid, (transaction) => transaction.records(sightings).insert(records, now));
  const count = (store: Store, filterText: string, cid = child) =>
    store.records(sightings, { cid }).count(filterOf(filterText), now);

  test("filters find the same with the indexes as without", async () => {
    const { store, url } = await newStore(engine);
    const trigrams = trigramsOf(store);
    for (const field of fields) expect(await trigrams.add(field)).toBe(true);
    const reads = recordedReads(url, child, sightings);
    onTestFinished(() => reads.close());
    let searched = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(record, {
          minLength: 30,
          maxLength: 60,
          selector: ({ name }) => name.toLowerCase(),
        }),
        fc.array(filter, { minLength: 8, maxLength: 12 }),
        async (contents, filters) => {
          const records = contents.map((content, at) => numbered(at, content));
          await store.write(child, (transaction) =>
            transaction.records(sightings).put(records, now),
          );
          try {
            for (const each of filters) {
              const expected = records.filter((one) =>
                evaluate(filterOf(each), one as unknown as FilterRecord, sightingFields),
              );
              const statements = await reads.statementsOf(async () => {
                expect(await reads.records.count(filterOf(each), now), each).toBe(expected.length);
                const { items } = await reads.records.page({
                  ...queryOf(each),
                  limit: 2,
                  offset: 0,
                });
                expect(items, each).toEqual(expected.slice(0, 2).map(({ id }) => id));
              });
              if (statements.some((statement) => statement.includes("__trigrams"))) searched += 1;
            }
          } finally {
            await store.write(child, (transaction) =>
              transaction.records(sightings).remove(
                records.map(({ id }) => id),
                now,
              ),
            );
            await administer(url, "delete from test_sightings; delete from test_sightings__values");
          }
        },
      ),
      { numRuns: runs(12), endOnFailure: true },
    );
    expect(searched).toBeGreaterThan(20);
  });

  test("a pattern without a prefix reads few records", async () => {
    const { store, url } = await newStore(engine);
    const all = Array.from({ length: 12_000 }, (_, id) =>
      numbered(id, { tags: [`Tag-${id}`, "common"], kind: `Kind ${id}` }),
    );
    await insert(store, child, all);
    for (const field of fields) await trigramsOf(store).add(field);
    const reads = recordedReads(url, child, sightings);
    onTestFinished(() => reads.close());
    for (const [pattern, total] of [
      ["name:*'*-7777.*'", 1],
      ["name:*'*T-7777.*'", 1],
      ["name:*'h*7778.exa*'", 1],
      ["kind:*'*nd 7777'", 1],
      ["kind:*'*ND 7777'", 0],
      ["kind:~*'*ND 7777'", 1],
      ["tags:*'*ag-7777'", 1],
      ["labels:*'*AG-7777'", 1],
      ["name:*'*no-such*'", 0],
      ["name:*'*-7777.*'+tags:'common'+score:>5", 1],
    ] as const) {
      const query = { ...queryOf(pattern, { sort: "seen_at|desc" }), limit: 10 };
      const read = await reads.rowsReadIn(async () => {
        expect((await reads.records.page({ ...query, offset: 0 })).total, pattern).toBe(total);
        expect((await reads.records.page(query)).items.length, pattern).toBe(total);
      });
      expect(read, pattern).toBeLessThan(1_000);
    }
  });

  test("a tenant finds its own records and those of its ancestors", async () => {
    const { store } = await newStore(engine);
    await trigramsOf(store).add("sightings.name");
    for (const cid of [parent, child, stranger]) {
      await insert(store, cid, [sighting(cid[0] ?? "", { name: `one-shared-${cid[0]}` })]);
    }
    for (const [cid, records, expected] of [
      [parent, "own", ["a"]],
      [child, "own", ["b"]],
      [child, "both", ["b", "a"]],
      [stranger, "both", ["c"]],
    ] as const) {
      const reader = store.records(sightings, { cid, records });
      const predicate = filterOf("name:*'*-shared-*'");
      expect(await reader.count(predicate, now)).toBe(expected.length);
      expect((await reader.page(queryOf("name:*'*-shared-*'"))).items).toEqual(expected);
    }
  });

  test("the function shows no row of a tenant that the setting does not name", async () => {
    const { store, url } = await newStore(engine);
    await trigramsOf(store).add("sightings.name");
    await insert(store, stranger, [numbered(1)]);
    const rows = (cids: string) =>
      administer(
        url,
        `select set_config('app.cids', '${cids}', false);
         select * from test_sightings__name__trigrams('${stranger}', '%host%', null, null)`,
      );
    expect(await rows(stranger)).toHaveLength(1);
    expect(await rows(child)).toHaveLength(0);
    expect(await rows("")).toHaveLength(0);
  });

  test("a running server finds the same after the index was removed, and after its return", async () => {
    const { store, url } = await newStore(engine);
    const trigrams = trigramsOf(store);
    await trigrams.add("sightings.name");
    await insert(store, child, [numbered(1), numbered(2)]);
    const other = await open(url);
    expect(await count(other, "name:*'*st-1.*'")).toBe(1);
    expect(await trigrams.remove("sightings.name")).toBe(true);
    expect(await trigrams.remove("sightings.name")).toBe(false);
    expect(await trigrams.list()).toEqual([]);
    expect(await count(other, "name:*'*st-2.*'")).toBe(1);
    expect(await count(await open(url), "name:*'*st-2.*'")).toBe(1);
    await trigrams.add("sightings.name");
    expect(await count(other, "name:*'*host-*'")).toBe(2);
  });

  test("a start, another form of the tables and filling them again leave the index", async () => {
    const { kind: _, ...fewer } = sightingFields;
    const less = { ...sightings, fields: fewer, indexes: ["name", "score"] };
    const { store, url } = await newStore(engine, [less]);
    await trigramsOf(store).add("sightings.name");
    await store.write(child, (transaction) =>
      transaction.records(less).insert([numbered(1, { kind: "k" })], now),
    );
    await store.close();
    const more = await open(url);
    expect(await count(more, "kind:'k'+name:*'*st-1.*'")).toBe(1);
    await more.reindex();
    expect(await trigramsOf(more).list()).toMatchObject([
      { field: "sightings.name", state: "ready" },
    ]);
    expect(await count(more, "name:*'*st-1.*'")).toBe(1);
  });

  test("what an interruption left is created again, and what is complete is not", async () => {
    const { store, url } = await newStore(engine);
    const trigrams = trigramsOf(store);
    await insert(store, child, [numbered(1)]);
    expect(await trigrams.add("sightings.name")).toBe(true);
    expect(await trigrams.add("sightings.name")).toBe(false);
    await administer(
      url,
      "update pg_index set indisvalid = false where indexrelid = 'test_sightings__name__trigrams'::regclass",
    );
    expect(await trigrams.list()).toMatchObject([{ field: "sightings.name", state: "broken" }]);
    expect(await count(await open(url), "name:*'*st-1.*'")).toBe(1);
    expect(await trigrams.add("sightings.name")).toBe(true);
    const [index] = await trigrams.list();
    expect(index).toMatchObject({ field: "sightings.name", state: "ready" });
    expect(index?.bytes).toBeGreaterThan(0);
  });

  test("of several commands at once, one does its work and the others are refused", async () => {
    const { store } = await newStore(engine);
    const trigrams = trigramsOf(store);
    await insert(
      store,
      child,
      Array.from({ length: 2_000 }, (_, id) => numbered(id)),
    );
    for (const works of [
      fields.map((field) => () => trigrams.add(field)),
      fields.map(() => () => trigrams.add("sightings.id")),
      fields.map(() => () => trigrams.remove("sightings.id")),
    ]) {
      const ends = await Promise.allSettled(works.map((work) => work()));
      const reasons = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
      for (const reason of reasons) expect(String(reason)).toMatch(/another command is adding/);
      expect(ends).toContainEqual({ status: "fulfilled", value: true });
    }
    for (const { state } of await trigrams.list()) expect(state).toBe("ready");
    // Nothing of an ended command keeps the next one from its work.
    expect(await trigrams.add("sightings.id")).toBe(true);
  });

  test("a field that cannot have an index is refused with the reason", async () => {
    const { store } = await newStore(engine, [sightings, platformSightings]);
    const trigrams = trigramsOf(store);
    for (const [field, message] of [
      ["sightings", /"sightings" names no field; .* such as indicators\.value/],
      ["sighting.name", /no kind of records "sighting"; the nearest is "sightings"/],
      ["sightings.nam", /sightings has no field "nam"; the nearest is "name"/],
      ["sightings.score", /sightings\.score is a number, and only texts/],
      ["sightings.level", /sightings\.level has listed values/],
      ["sightings.state", /sightings\.state changes when a record expires/],
      ["platform_sightings.name", /belongs to records of the platform/],
    ] as const) {
      for (const work of [trigrams.add(field), trigrams.remove(field)]) {
        const error = await work.catch((thrown: unknown) => thrown);
        expect(error, field).toBeInstanceOf(StoreError);
        expect((error as StoreError).message).toMatch(message);
      }
    }
    expect(await trigrams.list()).toEqual([]);
  });

  test("a login without the right to create the extension is told what to do", async () => {
    const { store, url } = await newStore(engine);
    await store.close();
    const login = `login_${Math.abs(Date.now() % 1e9)}`;
    await administer(
      url,
      `create role ${login} login password 'p'; grant security_platform to ${login};
       do $$ begin execute format('revoke create on database %I from public', current_database()); end $$;
       grant usage, create on schema public to ${login};
       do $$ declare each record; begin
         for each in select tablename from pg_tables where schemaname = 'public' loop
           execute format('alter table %I owner to ${login}', each.tablename);
         end loop;
       end $$;
       select 1`,
    );
    onTestFinished(async () => {
      await administer(url, `reassign owned by ${login} to current_user; drop owned by ${login}`);
      await administer(url, `drop role ${login}`);
    });
    const limited = Object.assign(new URL(url), { username: login, password: "p" }).href;
    const opened = await open(limited);
    await expect(trigramsOf(opened).add("sightings.name")).rejects.toThrow(
      /may not create the extension pg_trgm; .* an administrator runs once: create extension pg_trgm/,
    );
    await administer(url, "create extension pg_trgm; create extension btree_gin; select 1");
    expect(await trigramsOf(opened).add("sightings.name")).toBe(true);
    await opened.close();
  });
});
