import { readFileSync, writeFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { StoreError } from "../src/store/types/errors.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import type { Resource, Store } from "../src/store/types/types.ts";
import { forEachEngine, type Engine } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { child, filterOf, newStore, now } from "./support/store.ts";
import { administer } from "./support/raw-sql.ts";
import { sighting, sightingFields, sightings, type Sighting } from "./support/sightings.ts";

const { kind: _kind, tags: _tags, score: _score, ...fewer } = sightingFields;
const less: Resource<Sighting> = { ...sightings, fields: fewer, indexes: ["name"] };

forEachEngine((engine: Engine) => {
  const open = async (url: string, resource: Resource<Sighting> = sightings): Promise<Store> => {
    const store = await openStoreAt({ url, clock: new ManualClock(), resources: [resource] });
    onTestFinished(() => store.close());
    return store;
  };
  const find = async (store: Store, filter: string, fields = sightings) => {
    const query = { predicate: filterOf(filter), sort: [], limit: 9, shape: "ids", now } as const;
    return (await store.records(fields, { cid: child }).page(query)).items;
  };

  test("a new field gets a column, filled from the records", async () => {
    const { store, url } = await newStore(engine, [less]);
    const past = new Date(now.getTime() - 1).toISOString();
    const one = sighting("1", { kind: "x", score: 2, tags: ["a", "b"], expires_at: past });
    await store.write(child, (transaction) =>
      transaction.records(less).insert([one, sighting("2", { kind: "Y" })], now),
    );
    await store.write(child, (transaction) => transaction.records(less).remove(["2"], now));
    await expect(find(store, "kind:'x'", less)).rejects.toThrow(RangeError);
    await store.close();
    const more = await open(url);
    expect(await find(more, "kind:'x'+score:2+tags:'b'+state:'over'")).toEqual(["1"]);
    expect(await find(more, "kind:~*'y'+deleted:true")).toEqual(["2"]);
    const duplicate = more.write(child, (transaction) =>
      transaction.records(sightings).insert([sighting("3", { name: "NAME 1" })], now),
    );
    await expect(duplicate).rejects.toThrow(/exists already/);
  });

  test("a field that changes its type, or is removed and added again, is filled again", async () => {
    const { store, url } = await newStore(engine);
    const insert = (into: Store, id: string, score: number) =>
      into.write(child, (transaction) =>
        transaction.records(sightings).insert([sighting(id, { score, kind: `k${id}` })], now),
      );
    await insert(store, "1", 10);
    await store.close();
    const asText: Resource<Sighting> = {
      ...less,
      fields: { ...fewer, score: { type: "timestamp" } },
    };
    const changed = await open(url, asText);
    await changed.write(child, (transaction) =>
      transaction.records(asText).insert([sighting("2", { score: 20, kind: "k2" })], now),
    );
    await changed.close();
    const back = await open(url);
    expect(await find(back, "score:>5+kind:['k1','k2']")).toEqual(["1", "2"]);
    await insert(back, "3", 30);
    expect(await find(back, "score:>15")).toEqual(["2", "3"]);
  });

  test("words are indexed again when a field is added", async () => {
    const worded: Resource<Sighting> = { ...sightings, words: "name" };
    const before: Resource<Sighting> = { ...less, words: "name" };
    const { store, url } = await newStore(engine, [before]);
    await store.write(child, (transaction) =>
      transaction.records(before).insert([sighting("1", { name: "seen at 10.0.3.7" })], now),
    );
    await store.close();
    const more = await open(url, worded);
    expect(await find(more, "name:~'10.0.3'", worded)).toEqual(["1"]);
    expect(await find(more, "name:~'7'", worded)).toEqual(["1"]);
    expect(await find(more, "name:!~'10.0.37'", worded)).toEqual([]);
    await more.write(child, (transaction) =>
      transaction.records(worded).put([sighting("1", { name: "seen at 10.0.3.8" })], now),
    );
    expect(await find(more, "name:~'10.0.3.7'", worded)).toEqual([]);
    expect(await find(more, "name:~'at 10.0.3.8'", worded)).toEqual(["1"]);
  });

  test("reindexing repairs wrong columns", async () => {
    const { store, url } = await newStore(engine);
    await store.write(child, (transaction) =>
      transaction.records(sightings).insert([sighting("1", { kind: "x", tags: ["t"] })], now),
    );
    await administer(
      url,
      "update test_sightings set field_kind = 'spoilt'; delete from test_sightings__values",
    );
    expect(await find(store, "kind:'x',tags:'t'")).toEqual([]);
    expect(await store.reindex("sightings")).toBe(1);
    expect(await find(store, "kind:'x'+tags:'t'")).toEqual(["1"]);
    expect(await store.reindex()).toBe(1);
    await expect(async () => store.reindex("nothing")).rejects.toThrow(StoreError);
  });

  test("opening again changes nothing", async () => {
    const { store, url } = await newStore(engine);
    await store.close();
    const before = await administer(url, "select resource, layout from resource_layouts");
    await (await open(url)).close();
    expect(await administer(url, "select resource, layout from resource_layouts")).toEqual(before);
  });

  test("an index that an operator has created stays, and one of an earlier version does not", async () => {
    const { store, url } = await newStore(engine, [{ ...less, indexes: ["name", "seen_at"] }]);
    await store.close();
    await administer(
      url,
      `create index mine on test_sightings (cid, field_name);
       create index test_sightings__mine on test_sightings (cid, field_active);
       create index test_sightings__values__mine on test_sightings__values (cid, text); select 1`,
    );
    const names = async () => {
      const rows = await administer(
        url,
        engine.name === "sqlite"
          ? "select name from sqlite_schema where type = 'index' and tbl_name like 'test_sightings%'"
          : "select indexname as name from pg_indexes where tablename like 'test_sightings%'",
      );
      return rows.map((row) => (row as { name: string }).name);
    };
    expect(await names()).toContain("test_sightings__seen_at");
    for (const resource of [less, less, sightings, sightings]) {
      await (await open(url, resource)).close();
      expect(await names()).toEqual(
        expect.arrayContaining(["mine", "test_sightings__mine", "test_sightings__values__mine"]),
      );
      expect((await names()).includes("test_sightings__seen_at")).toBe(resource === sightings);
    }
  });

  test("a database that a version before the first release wrote is rejected", async () => {
    const { store, url } = await newStore(engine);
    await store.close();
    await administer(
      url,
      "delete from schema_migrations where number > 8; update schema_migrations set number = 3; select 1",
    );
    await expect(open(url)).rejects.toThrow(/schema 3 of a version before the first release/);
  });

  test("two servers may open a new database at once", async () => {
    const url = await engine.emptyUrl();
    const stores = await Promise.all([open(url), open(url), open(url)]);
    const states = await Promise.all(stores.map((store) => store.ready()));
    expect(states).toEqual(["ready", "ready", "ready"]);
  });

  test("a database of a newer version, or of another program, is rejected and not changed", async () => {
    const { store, url } = await newStore(engine);
    await store.close();
    await administer(
      url,
      "insert into schema_migrations (number, name, applied_at) values (99, 'later', '2030')",
    );
    await expect(open(url)).rejects.toThrow(/schema 99, and this version knows schemas up to \d+;/);
    await administer(url, "delete from schema_migrations where number = 99");
    expect(await (await open(url)).ready()).toBe("ready");

    const foreign = await engine.emptyUrl();
    await administer(foreign, "create table settings (mine text)");
    await expect(open(foreign)).rejects.toThrow(StoreError);
    await expect(administer(foreign, "select * from tenants")).rejects.toThrow();
  });

  test("without soft deletion, records are deleted at once and their keys are free", async () => {
    const { softDelete: _, ...hard } = sightings;
    const { store } = await newStore(engine, [hard]);
    const put = (id: string) =>
      store.write(child, (transaction) =>
        transaction.records(hard).put([sighting(id, { name: "same", tags: ["t"] })], now),
      );
    await put("1");
    await store.write(child, (transaction) => transaction.records(hard).remove(["1"], now));
    await put("2");
    const records = store.records(hard, { cid: child });
    expect(await records.count(filterOf("tags:'t'"), now)).toBe(1);
    expect(await records.count(filterOf("deleted:true"), now)).toBe(0);
  });

  test("an error explains why a database cannot be opened", async () => {
    const refused = async (url: string, message: RegExp) => {
      const error = await open(url).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(StoreError);
      expect((error as StoreError).message).toMatch(message);
    };
    await refused("mysql://localhost", /write sqlite:<path> or postgres:/);
    const url = await engine.emptyUrl();
    if (engine.name === "sqlite") {
      const path = url.slice("sqlite:".length);
      writeFileSync(
        path,
        "some other file, long enough to be looked at by whoever opens it".repeat(9),
      );
      const before = readFileSync(path, "utf8");
      await refused(url, /it is not a SQLite database/);
      expect(readFileSync(path, "utf8")).toBe(before);
      await refused(`${url}/below/a.db`, /its folder cannot be made \(ENOTDIR\)/);
      await refused("sqlite:/proc/a.db", /it cannot be opened; check that its folder exists/);
    } else {
      const gone = new URL(url);
      gone.pathname = "/nowhere";
      await refused(gone.href, /the database does not exist/);
      gone.port = "1";
      await refused(gone.href, /cannot be reached \(ECONNREFUSED\)/);
      const other = new URL(url);
      other.password = "wrong";
      await refused(other.href, /refuses the user or the password/);
    }
  });
});
