import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openStoreAt } from "../src/host/open-store-at.ts";
import { resources } from "../src/platform/resources.ts";
import { layoutOf } from "../src/store/rows/columns.ts";
import { migrations, newestMigration, type Migration } from "../src/store/schema/migrate.ts";
import type { Connection } from "../src/store/index.ts";
import type { Resource, Store } from "../src/store/types/types.ts";
import { startTestApi, type TestApi } from "./support/api.ts";
import { contentOf } from "./support/backups.ts";
import { forEachEngine, onPostgres, onSqlite, type Engine } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { administer } from "./support/raw-sql.ts";
import { testKeys } from "./support/secret-keys.ts";
import { sightingFields, sightings, sighting, type Sighting } from "./support/sightings.ts";
import { child, createTenants, filterOf, newStore, now } from "./support/store.ts";

const { kind: _kind, tags: _tags, ...fewer } = sightingFields;
const earlierSightings: Resource<Sighting> = { ...sightings, fields: fewer, indexes: ["name"] };

const expansion: Migration = {
  number: 1_000,
  name: "an expansion",
  phase: "expand",
  up: async (connection) => {
    const { text, integer } = connection.dialect.types;
    for (const table of ["tenants", "api_clients", "access_tokens", "audit_entries", "jobs"]) {
      await connection.run(`alter table ${table} add column later_number ${integer} default 7`);
    }
    await connection.run(`create table later_things (name ${text} primary key)`);
  },
};
const contraction: Migration = {
  number: 1_001,
  name: "a contraction",
  phase: "contract",
  oldest: expansion.number,
  up: (connection) => connection.run("alter table tenants drop column later_number"),
};
const laterSteps = [...migrations, expansion, contraction];

const hasNumber = async (url: string): Promise<boolean> =>
  administer(url, "select later_number from tenants").then(
    () => true,
    () => false,
  );

forEachEngine((engine) => {
  interface Version {
    readonly steps?: readonly Migration[];
    readonly resources?: readonly Resource[];
    readonly clock?: ManualClock;
  }
  const open = async (url: string, version: Version = {}): Promise<Store> => {
    const store = await openStoreAt({
      url,
      clock: version.clock ?? new ManualClock(now.toISOString()),
      resources: version.resources ?? [earlierSightings],
      migrations: version.steps ?? migrations,
      keys: testKeys,
      durable: false,
    });
    onTestFinished(() => store.close());
    return store;
  };
  const later = (url: string, clock?: ManualClock) =>
    open(url, { steps: laterSteps, resources: [sightings], ...(clock && { clock }) });
  const put = (store: Store, ...records: readonly Sighting[]) =>
    store.write(child, (transaction) => transaction.records(earlierSightings).put(records, now));
  const putLater = (store: Store, ...records: readonly Sighting[]) =>
    store.write(child, (transaction) => transaction.records(sightings).put(records, now));
  const find = async (store: Store, filter: string) =>
    (
      await store.records(sightings, { cid: child }).page({
        predicate: filterOf(filter),
        sort: [],
        limit: 99,
        shape: "ids",
        now,
      })
    ).items.toSorted();

  test("the version before goes on beside a later one, and what it writes is found after the upgrade", async () => {
    const { store: earlier, url } = await newStore(engine, [earlierSightings]);
    await put(earlier, sighting("1", { kind: "x", tags: ["a"] }), sighting("2", { kind: "y" }));
    const current = await later(url);
    expect(await find(current, "kind:'x'+tags:'a'")).toEqual(["1"]);
    expect(await earlier.ready()).toBe("ready");
    // Both change the same record in turn.
    await put(earlier, sighting("2", { kind: "z", tags: ["b"] }), sighting("3", { kind: "x" }));
    await putLater(current, sighting("1", { kind: "changed" }), sighting("4", { kind: "x" }));
    await put(earlier, sighting("5", { kind: "x", tags: ["a"] }));
    const names = await earlier.records(earlierSightings, { cid: child }).get(["1", "4"], now);
    expect([...names.keys()].toSorted()).toEqual(["1", "4"]);
    expect(await find(current, "kind:'x'")).toEqual(["4"]);
    expect(await find(await later(url), "kind:'x'")).toEqual(["3", "4", "5"]);
    await put(earlier, sighting("6", { kind: "x", tags: ["c"] }));
    await earlier.close();
    expect(await current.finishUpgrade()).toBe(true);
    expect(await find(current, "kind:'x'")).toEqual(["3", "4", "5", "6"]);
    expect(await find(current, "tags:['a','b','c']")).toEqual(["2", "5", "6"]);
    expect(await find(current, "kind:'y',kind:'changed'")).toEqual(["1"]);
    expect(await current.finishUpgrade()).toBe(false);
  });

  test("the version before can be started again, changes no table, and is followed by the later one", async () => {
    const { store, url } = await newStore(engine, [earlierSightings]);
    await put(store, sighting("1", { kind: "x" }));
    await store.close();
    await (await later(url)).close();
    const layouts = () => administer(url, "select resource, layout from resource_layouts");
    const before = await layouts();
    const back = await open(url);
    expect(await back.ready()).toBe("ready");
    await put(back, sighting("2", { kind: "x", tags: ["a"] }));
    await back.close();
    expect(await layouts()).toEqual(before);
    expect(await find(await later(url), "kind:'x'")).toEqual(["1", "2"]);
  });

  test("the version before can neither finish the upgrade to a later one nor fill its tables", async () => {
    const { store: earlier, url } = await newStore(engine, [earlierSightings]);
    await put(earlier, sighting("1", { kind: "x", tags: ["a"] }));
    await (await later(url)).close();
    await expect(earlier.finishUpgrade()).rejects.toThrow(
      "a later version has changed this database; finish the upgrade with that version",
    );
    await expect(earlier.reindex()).rejects.toThrow(
      'a later version has changed the tables of "sightings"; fill them with that version',
    );
    await put(earlier, sighting("2", { kind: "x" }));
    await earlier.close();
    const current = await later(url);
    expect(await find(current, "kind:'x'")).toEqual(["1", "2"]);
    expect(await find(current, "tags:'a'")).toEqual(["1"]);
  });

  test("an upgrade that nothing has finished is over a day after the last sign of the version before", async () => {
    const { store, url } = await newStore(engine, [earlierSightings]);
    const clock = new ManualClock(now.toISOString());
    await (await later(url, clock)).close();
    const beside = () => administer(url, "select value from settings where name = 'schema.beside'");
    clock.advance(23 * 3_600_000);
    await put(store, sighting("1", { kind: "x" }));
    await (await later(url, clock)).close();
    clock.advance(23 * 3_600_000);
    await (await later(url, clock)).close();
    expect(await beside()).toHaveLength(1);
    clock.advance(2 * 3_600_000);
    const current = await later(url, clock);
    expect(await beside()).toEqual([]);
    expect(await find(current, "kind:'x'")).toEqual(["1"]);
  });

  test("a contraction waits for the end of the upgrade, and then the version before is refused", async () => {
    const { store: earlier, url } = await newStore(engine, [earlierSightings]);
    const current = await later(url);
    expect([await hasNumber(url), await current.ready()]).toEqual([true, "ready"]);
    await current.finishUpgrade();
    expect(await hasNumber(url)).toBe(false);
    expect([await earlier.ready(), await current.ready()]).toEqual(["outdated", "ready"]);
    await expect(open(url)).rejects.toThrow(
      `this database has schema 1001, and this version knows schemas up to ${newestMigration}; run the newer version`,
    );
    // A version between the two knows the expansion.
    const between = await open(url, { steps: [...migrations, expansion] });
    expect(await between.ready()).toBe("ready");
  });

  test("a contraction runs at the latest before the next expansion, and at once in an empty database", async () => {
    const next: Migration = { ...expansion, number: 1_002, up: async () => undefined };
    const { store, url } = await newStore(engine, [earlierSightings]);
    await store.close();
    await later(url);
    await open(url, { steps: [...laterSteps, next], resources: [sightings] });
    expect(await hasNumber(url)).toBe(false);
    const empty = await engine.emptyUrl();
    await (await later(empty)).close();
    expect(await hasNumber(empty)).toBe(false);
  });

  test("a database of every earlier schema is upgraded, and its records are found by new fields", async () => {
    for (let known = 1; known < migrations.length; known += 1) {
      const url = await engine.emptyUrl();
      const steps = migrations.slice(0, known);
      const earlier = await open(url, { steps });
      await createTenants(earlier);
      await put(earlier, sighting("1", { kind: "x", tags: ["a"] }));
      const current = await open(url, { resources: [sightings] });
      expect(await find(current, "kind:'x'+tags:'a'")).toEqual(["1"]);
      await put(earlier, sighting("2", { kind: "x" }));
      await current.finishUpgrade();
      expect(await find(current, "kind:'x'")).toEqual(["1", "2"]);
      expect(await (await open(url, { steps })).ready()).toBe("ready");
    }
  });

  test("a change of what a column holds refuses the version before", async () => {
    const { store: earlier, url } = await newStore(engine, [earlierSightings]);
    await put(earlier, sighting("1", { kind: "x" }));
    const changed: Resource<Sighting> = {
      ...sightings,
      fields: { ...sightingFields, score: { type: "timestamp" } },
    };
    await open(url, { steps: [...migrations, expansion], resources: [changed] });
    expect(await earlier.ready()).toBe("outdated");
    await expect(open(url)).rejects.toThrow(
      /this database has schema 1000, and this version knows/,
    );
  });

  test(
    "a server of the version before handles requests while a later one changes every table",
    { tags: ["exhaustive"] },
    async () => {
      const url = await engine.url();
      const api = await startTestApi({ databaseUrl: url, catalogue: true });
      await use(api, "before");
      const extended = resources.map((resource) => ({
        ...resource,
        fields: {
          ...resource.fields,
          later_text: { type: "string", path: "description" },
          later_list: { type: "string", path: "tags", array: true },
        },
      })) as readonly Resource[];
      const opening = open(url, { steps: laterSteps, resources: extended });
      let rounds = 0;
      const opened = opening.then(() => "opened");
      do {
        await use(api, `during ${rounds}`);
        rounds += 1;
      } while ((await Promise.race([opened, Promise.resolve("opening")])) === "opening");
      await use(api, "after");
      const indicators = extended.find(({ name }) => name === "indicators") ?? sightings;
      const { table, valuesTable } = layoutOf(indicators);
      const current = await opening;
      await current.finishUpgrade();
      const [filled] = (await administer(
        url,
        `select count(*) as count from ${table} as t where field_later_text = 'after' and exists (
         select 1 from ${valuesTable} as v where v.cid = t.cid and v.row = t.row
           and v.valid_from = t.valid_from and v.field = 'later_list' and v.value = 'tag')`,
      )) as { count: number | string }[];
      expect(Number(filled?.count)).toBe(1);
    },
  );
});

onPostgres(
  (engine) => {
    test("a request that has a table which a step waits for gets the tables of the step", async () => {
      const url = await engine.url();
      const client = new Client({ connectionString: url });
      await client.connect();
      onTestFinished(() => client.end());
      await client.query("begin; lock table access_tokens in row exclusive mode");
      const opening = openStoreAt({
        url,
        resources: [],
        migrations: [...migrations, expansion],
        keys: testKeys,
        durable: false,
      });
      const waiting = `select pid, clock_timestamp() - waitstart > interval '1100 ms' as "isLong"
        from pg_locks where not granted and relation = 'access_tokens'::regclass`;
      const pids = new Set<number>();
      // Until the step begins anew. If it waits for more than a second, PostgreSQL has looked for a deadlock in vain.
      await expect
        .poll(async () => {
          const found = (await administer(url, waiting)) as { pid: number; isLong: boolean }[];
          for (const { pid } of found) pids.add(pid);
          return pids.size > 1 || found.some(({ isLong }) => isLong);
        })
        .toBe(true);
      // PostgreSQL would end this statement, because both wait for each other.
      await client.query("select count(*) from api_clients");
      await client.query("commit");
      await (await opening).close();
      expect(await hasNumber(url)).toBe(true);
    });
  },
  { tags: ["exhaustive"] },
);

/** Creates, changes, lists and deletes records of several kinds; each response must be a success. */
async function use(api: TestApi, name: string): Promise<void> {
  const succeed = async (method: string, path: string, more: object = {}) => {
    const { status, text, body } = await api.request<{ id: string }[]>(method, path, more);
    expect([path, status, text]).toEqual([path, expect.toSatisfy(isSuccess), expect.anything()]);
    return body;
  };
  const path = "/iocs/entities/indicators/v1";
  const indicator = { type: "domain", action: "no_action", platforms: ["linux"], tags: ["tag"] };
  const value = `${name.replace(" ", "-")}.example`;
  const [created] = await succeed("POST", path, {
    body: { indicators: [{ ...indicator, value, applied_globally: true, description: name }] },
  });
  const ids = created?.id ?? "";
  await succeed("GET", path, { query: { ids } });
  await succeed("GET", "/iocs/combined/indicator/v1", { query: { filter: "action:'no_action'" } });
  const [second] = await succeed("POST", path, {
    body: { indicators: [{ ...indicator, value: `x.${value}`, applied_globally: true }] },
  });
  await succeed("DELETE", path, { query: { ids: second?.id ?? "" } });
  await api.newToken(api.client);
  await api.store.directory.clients(api.tenant.cid);
  await api.store.directory.auditEntries({ cid: api.tenant.cid, limit: 5 });
  await api.work();
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

onSqlite((engine: Engine) => {
  test("an expansion adds nothing that servers of the version before cannot ignore", async () => {
    const url = await engine.emptyUrl();
    await openStoreAt({ url, keys: testKeys, resources: [] }).then((store) => store.close());
    const [first, ...rest] = migrations;
    expect([first?.number, first?.name]).toEqual([8, "initial"]);
    for (const step of rest) {
      if (step.phase === "contract") {
        expect(step.oldest).toBeLessThan(step.number);
        continue;
      }
      for (const statement of await statementsOf(step)) {
        expect([step.name, breaking(statement)]).toEqual([step.name, null]);
      }
    }
    expect(migrations.map(({ number }) => number)).toEqual(
      migrations.map(({ number }) => number).toSorted((left, right) => left - right),
    );
    expect((await contentOf(url)).get("schema_migrations")).toHaveLength(migrations.length);
  });

  test.each([
    ["drop table jobs", "drop"],
    ["alter table jobs rename column a to b", "rename"],
    ["alter table jobs alter column a set not null", "set not null"],
    ["alter table jobs alter column a type text", "type"],
    [
      "create table x (a text); alter table jobs add column a text not null",
      "not null without default",
    ],
    ["create unique index a on jobs (cid)", "unique index"],
    ["alter table jobs add column a text not null default ''", null],
    ["create table x (a text not null)", null],
  ])("the rule of expansions judges %j", (statement, reason) => {
    expect(breaking(statement)).toBe(reason);
  });

  test("statements name the columns of the tables, which a later version may extend", () => {
    const folder = new URL("../src/store/", import.meta.url);
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const sources = names.filter((name) => /(?<!\.test)\.ts$/.test(name));
    expect(sources.length).toBeGreaterThan(50);
    const unnamed = sources.flatMap((name) =>
      [...readFileSync(new URL(name, folder), "utf8").matchAll(everyColumn)].map(
        ([statement]) => `${name}: ${statement}`,
      ),
    );
    // A backup reads what there is, once. A copy of a database in memory has the columns of its original.
    expect(unnamed).toEqual([
      'copy-database.ts: select * from "${table}"',
      "dialects/sqlite/sqlite-snapshots.ts: select * from ${copyOf(number, table)}",
    ]);
  });

  test("the tables of resources change only together with the number of the schema", async () => {
    const layouts = (await administer(
      await engine.bareUrl(),
      "select resource, layout from resource_layouts order by resource",
    )) as readonly { resource: string; layout: string }[];
    const fillings = layouts.map(({ resource, layout }) => [
      resource,
      (JSON.parse(layout) as { filling: string }).filling,
    ]);
    const revisions = resources.map((each) => [layoutOf(each).table, each.upgrade?.revision ?? 0]);
    const forms = [fillings, revisions.toSorted()];
    const digest = createHash("sha256").update(JSON.stringify(forms)).digest("hex");
    const known = JSON.parse(
      readFileSync(new URL("support/schema-forms.json", import.meta.url), "utf8"),
    ) as Record<string, string>;
    // If this fails and a release has the newest number, add a migration to `schema/migrate.ts` (its `up` may do
    // nothing). Then put the digest beside the newest number.
    expect({ [newestMigration]: digest }).toEqual({
      [newestMigration]: known[String(newestMigration)],
    });
  });
});

/** Not those of functions and sub-selects. */
const everyColumn = /(?:select|returning) (?:\w+\.)?\*(?! from (?:unnest\(|\(|main\.))[^`]*/g;

/** The statements that a step runs. */
async function statementsOf(step: Migration): Promise<readonly string[]> {
  const scripts: string[] = [];
  const types = { text: "text", integer: "integer", number: "real", boolean: "integer" };
  const connection = {
    dialect: { types, tableOptions: { plain: "", clustered: "" }, fence: () => "" },
    run: async (script: string) => void scripts.push(script),
    send: async ({ text }: { text: string }) => void scripts.push(text),
    all: async () => [],
  };
  await step.up(connection as unknown as Connection);
  return scripts;
}

/** What in a script breaks servers that do not know of it; null: nothing. */
function breaking(script: string): string | null {
  for (const statement of script.toLowerCase().split(";")) {
    const [found] = /\b(?:drop|rename|set not null|unique index)\b/.exec(statement) ?? [];
    if (found !== undefined) return found;
    if (/\balter column \S+ (?:set data )?type\b/.test(statement)) return "type";
    const isAdded = /\badd column\b/.test(statement) && /\bnot null\b/.test(statement);
    if (isAdded && !/\bdefault\b/.test(statement)) return "not null without default";
  }
  return null;
}
