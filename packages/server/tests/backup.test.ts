import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { LocalBlobs } from "../src/blobs/local-blobs.ts";
import { BackupError } from "../src/host/backup/archive.ts";
import { verifyBackup } from "../src/host/backup/restore.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import { resources } from "../src/platform/resources.ts";
import { dumpTables } from "../src/store/copy-database.ts";
import { newestMigration } from "../src/store/schema/migrate.ts";
import { layoutOf } from "../src/store/rows/columns.ts";
import { startTestApi } from "./support/api.ts";
import {
  clock,
  contentOf,
  copyOf,
  craft,
  newBackup,
  restoring,
  temporary,
} from "./support/backups.ts";
import { onPostgres, withPostgresAtNight, type Engine } from "./support/engines.ts";
import { administer } from "./support/raw-sql.ts";
import { testKeys } from "./support/secret-keys.ts";
import { sha256 } from "./support/sha256.ts";
import { newStore } from "./support/store.ts";

const nightly = { tags: ["exhaustive", "nightly"] };

/** A SQLite database as its bytes, another one as its rows. */
const stateOf = async (url: string): Promise<unknown> =>
  url.startsWith("sqlite:")
    ? sha256(readFileSync(url.slice("sqlite:".length)))
    : [...(await contentOf(url))];

/** A store with a tenant. */
async function newTenants(url: string) {
  const store = await openStoreAt({ url, keys: testKeys });
  const created_at = clock.now().toISOString();
  await store.directory.createTenant({
    cid: "a".repeat(32),
    name: "a",
    parent_cid: null,
    created_at,
  });
  return store;
}

/** A closed database without tenants, and what is in it. */
async function closedDatabase(engine: Engine) {
  const url = await engine.bareUrl();
  return { url, state: await stateOf(url) };
}

withPostgresAtNight((engine) => {
  test("a backup restores every row and file, while the server of the source runs", async () => {
    const url = await engine.url();
    const api = await startTestApi({ databaseUrl: url, catalogue: true });
    const path = "/iocs/entities/indicators/v1";
    const indicator = { type: "domain", value: "kept.example", action: "no_action" };
    const body = { indicators: [{ ...indicator, platforms: ["linux"], applied_globally: true }] };
    await api.request("POST", path, { body });
    await api.blobs.put(Readable.from([Buffer.from("a file")]));
    await api.blobs.put(Readable.from([Buffer.alloc(3 * 1024 * 1024, 7)]));
    const backup = await newBackup(url, { blobs: api.blobs });
    const before = await contentOf(url);
    expect([...before.values()].flat().length).toBeGreaterThan(500);
    expect(await verifyBackup(backup)).toEqual({
      version: "1.2.3",
      created_at: clock.now().toISOString(),
      engine: engine.name,
      schema: newestMigration,
      files: 2,
      keys: false,
    });
    const target = await engine.emptyUrl();
    const blobs = new LocalBlobs(temporary());
    await restoring(target, backup, { blobs });
    const after = await contentOf(target);
    expect([...after.keys()]).toEqual([...before.keys()]);
    for (const [table, rows] of before) expect([table, after.get(table)]).toEqual([table, rows]);
    expect(await blobs.bytes(sha256("a file"))).toBe(6);
    expect(await blobs.bytes(sha256(Buffer.alloc(3 * 1024 * 1024, 7)))).toBe(3 * 1024 * 1024);
    // The restored database works, with the token of the other server, and numbers go on.
    const second = await startTestApi({ databaseUrl: target });
    const query = { filter: "value:'kept.example'" };
    const found = await second.request("GET", "/iocs/queries/indicators/v1", {
      token: api.token,
      query,
    });
    expect(found.body).toHaveLength(1);
    await second.store.write(second.tenant.cid, (transaction) =>
      transaction.enqueue({ kind: "jobs.purge" }, clock.now()),
    );
  });

  test("a backup has the state of one instant, while others write", async () => {
    const { store, url } = await newStore(engine, []);
    let written = 0;
    const over = new AbortController();
    const writing = (async () => {
      while (!over.signal.aborted) {
        await store.write("b".repeat(32), (transaction) =>
          transaction.enqueue({ kind: `number-${written}` }, clock.now()),
        );
        written += 1;
      }
    })();
    await expect.poll(() => written).toBeGreaterThan(2);
    const backup = await newBackup(url).finally(() => over.abort());
    await writing;
    const target = await engine.emptyUrl();
    await restoring(target, backup);
    const kinds = (await administer(target, "select kind from jobs")) as { kind: string }[];
    const numbers = kinds.map(({ kind }) => Number(kind.replace("number-", "")));
    expect(numbers.toSorted((left, right) => left - right)).toEqual(numbers.map((_, at) => at));
    expect(numbers.length).toBeGreaterThan(2);
    expect(numbers.length).toBeLessThanOrEqual(written);
    const writes = (await administer(
      target,
      `select number from write_numbers where cid = '${"b".repeat(32)}' and resource = ''`,
    )) as { number: number | string }[];
    expect(writes.every(({ number }) => Number(number) <= written + 1)).toBe(true);
  });

  test("a database that is not empty is replaced only on demand, and then completely", async () => {
    const backup = await newBackup(await engine.bareUrl());
    const url = await engine.url();
    await (await newTenants(url)).close();
    const before = await stateOf(url);
    await expect(restoring(url, backup)).rejects.toThrow(
      "the database is not empty; choose an empty one, or add --replace",
    );
    expect(await stateOf(url)).toEqual(before);
    await restoring(url, backup, { replace: true });
    expect(await administer(url, "select * from tenants")).toEqual([]);
    const store = await openStoreAt({ url, keys: testKeys });
    expect(await store.ready()).toBe("ready");
    await store.close();
  });

  test("a damaged backup changes nothing, wherever it is cut off or changed", async () => {
    const { url, state } = await closedDatabase(engine);
    const whole = readFileSync(await newBackup(await engine.bareUrl()));
    const { length } = whole;
    const blobs = new LocalBlobs(temporary());
    const cuts = [0, 1, 511, 512, 1_024, length >> 2, length >> 1, length - 73, length - 1];
    const flips = [
      0,
      600,
      1_200,
      length >> 3,
      length >> 1,
      length - 1_500,
      length - 40,
      length - 1,
    ];
    const damaged = [
      ...cuts.map((at) => whole.subarray(0, at)),
      ...flips.map((at) => {
        const copy = Buffer.from(whole);
        copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
        return copy;
      }),
      Buffer.concat([whole, Buffer.from("\n")]),
      Buffer.concat([whole, whole]),
    ];
    for (const content of damaged) {
      let written = 0;
      const beforeChange = async () => void (written += 1);
      const path = copyOf(content);
      await expect(restoring(url, path, { blobs, beforeChange, replace: true })).rejects.toThrow(
        BackupError,
      );
      expect(written).toBe(0);
    }
    expect(await stateOf(url)).toEqual(state);
  });

  test("a backup of a newer version is refused before anything changes", async () => {
    const { url, state } = await closedDatabase(engine);
    const schema = newestMigration + 1;
    const path = await craft({ engine: engine.name, schema });
    await expect(restoring(url, path, { replace: true })).rejects.toThrow(
      `the backup has schema ${schema}, and this version knows schemas up to ${newestMigration}; use the newer version`,
    );
    expect(await stateOf(url)).toEqual(state);
  });

  test("a backup of the other engine is refused", async () => {
    const other = engine.name === "sqlite" ? "postgres" : "sqlite";
    const target = await engine.emptyUrl();
    await expect(restoring(target, await craft({ engine: other }))).rejects.toThrow(
      /is of a (SQLite|PostgreSQL) database, and the target is (PostgreSQL|SQLite)/,
    );
  });

  test("a database that a server uses is not replaced", async () => {
    const backup = await newBackup(await engine.bareUrl());
    const url = await engine.bareUrl();
    const store = await openStoreAt({ url, keys: testKeys });
    await store.ready();
    const before = await contentOf(url);
    await expect(restoring(url, backup, { replace: true })).rejects.toThrow(
      /another process has it open|a server or another command uses the database/,
    );
    expect(await store.ready()).toBe("ready");
    await store.close();
    expect(await contentOf(url)).toEqual(before);
  });

  test("a restore that fails halfway leaves the database as it was", async () => {
    const { url, state } = await closedDatabase(engine);
    const rows = Buffer.from("not packed");
    const parts = { "database/000001.gz": rows, "tables/tenants/000001.gz": rows };
    const path = await craft({ engine: engine.name }, parts);
    await expect(restoring(url, path, { replace: true })).rejects.toThrow();
    const takeKeys = () => {
      throw new Error("the last step fails");
    };
    const backup = await newBackup(await engine.bareUrl(), { readKeys: () => "keys" });
    await expect(restoring(url, backup, { replace: true, takeKeys })).rejects.toThrow("last step");
    expect(await stateOf(url)).toEqual(state);
    if (engine.name === "sqlite") {
      const folder = join(url.slice("sqlite:".length), "..");
      expect(readdirSync(folder).filter((name) => name.endsWith(".restored"))).toEqual([]);
    }
  });
});

onPostgres((engine) => {
  const cut = (url: string) =>
    administer(
      url,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
  const reason = /^PostgreSQL: it is shutting down or is being terminated \(terminating connection/;

  test("a restore is refused while a server has no work", nightly, async () => {
    const url = await engine.bareUrl();
    const backup = await newBackup(url);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const store = await openStoreAt({ url, keys: testKeys });
    try {
      await store.ready();
      await vi.advanceTimersByTimeAsync(3_600_000);
      vi.useRealTimers();
      await expect(restoring(url, backup, { replace: true })).rejects.toThrow(
        "a server or another command uses the database; stop it first",
      );
    } finally {
      vi.useRealTimers();
      await store.close();
    }
  });

  test("a backup whose connection is cut between two queries says so", async () => {
    const url = await engine.url();
    const read = async (): Promise<void> => {
      for await (const _ of dumpTables(url, resources, {})) await cut(url);
    };
    await expect(read()).rejects.toThrow(reason);
  });

  /** A backup with a file, and an empty store for it that calls `beforePut` while a restore is under way. */
  const withFile = async (url: string, beforePut: () => Promise<unknown>) => {
    const source = new LocalBlobs(temporary());
    await source.put(Readable.from([Buffer.from("a file")]));
    const backup = await newBackup(url, { blobs: source });
    const blobs = new LocalBlobs(temporary());
    const { put } = blobs;
    blobs.put = async (content) => {
      await beforePut();
      return put.call(blobs, content);
    };
    return { backup, blobs };
  };

  /** The number of rows that a backup would have, by table. */
  const rowCounts = async (url: string): Promise<ReadonlyMap<string, number>> => {
    const counts = new Map<string, number>();
    for await (const { table, lines } of dumpTables(url, resources, {})) {
      counts.set(table, (counts.get(table) ?? 0) + lines.length);
    }
    return counts;
  };

  test("a backup that begins during a restore has all rows of it", nightly, async () => {
    const source = await engine.url();
    const target = await engine.bareUrl();
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    let counts: ReturnType<typeof rowCounts> | undefined;
    const { backup, blobs } = await withFile(source, async () => {
      counts = rowCounts(target);
      while ((await administer(target, waiting)).length === 0);
    });
    await restoring(target, backup, { blobs, replace: true });
    expect(await counts).toEqual(await rowCounts(source));
  });

  test("a restore whose connection is cut changes nothing", async () => {
    const target = await engine.emptyUrl();
    const { backup, blobs } = await withFile(await engine.url(), () => cut(target));
    await expect(restoring(target, backup, { blobs })).rejects.toThrow(reason);
    expect(await administer(target, "select 1 from pg_tables where schemaname = 'public'")).toEqual(
      [],
    );
  });
});

onPostgres(
  (engine) => {
    test("rows that are written while a backup reads are not a part of it", async () => {
      const { store, url } = await newStore(engine, []);
      const kinds: string[] = [];
      let isFirst = true;
      for await (const { table, lines } of dumpTables(url, [], {})) {
        if (isFirst) {
          await store.write("b".repeat(32), (transaction) =>
            transaction.enqueue({ kind: "late" }, clock.now()),
          );
        }
        isFirst = false;
        kinds.push(...(table === "jobs" ? lines : []));
      }
      expect(kinds).toEqual([]);
      expect(await administer(url, "select kind from jobs")).toEqual([{ kind: "late" }]);
    });

    test("columns that another version has filled differently are filled again", async () => {
      const url = await engine.url();
      const api = await startTestApi({ databaseUrl: url });
      const indicator = { type: "domain", value: "kept.example", action: "no_action" };
      await api.request("POST", "/iocs/entities/indicators/v1", {
        body: { indicators: [{ ...indicator, platforms: ["linux"], applied_globally: true }] },
      });
      const resource = resources.find(({ name }) => name === "indicators");
      const { table, valuesTable } = layoutOf(resource as never);
      const before = await contentOf(url);
      await administer(
        url,
        `update "${table}" set field_value = null; delete from "${valuesTable}";
        update resource_layouts set layout = jsonb_set(layout::jsonb, '{filling}', '"older"') where resource = '${table}'`,
      );
      const target = await engine.emptyUrl();
      await restoring(target, await newBackup(url));
      const after = await contentOf(target);
      for (const name of [table, valuesTable, "resource_layouts"]) {
        expect([name, after.get(name)]).toEqual([name, before.get(name)]);
      }
    });

    test("tables of another program or of a newer version are refused", async () => {
      const foreign = await engine.emptyUrl();
      await administer(foreign, "create table jobs (id integer)");
      const backup = await newBackup(await engine.bareUrl());
      await expect(restoring(foreign, backup, { replace: true })).rejects.toThrow(
        'this database holds a table "jobs" of another program',
      );
      const rows = gzipSync('{"a":1}\n');
      const path = await craft({ engine: "postgres" }, { "tables/later/000001.gz": rows });
      const target = await engine.emptyUrl();
      await expect(restoring(target, path)).rejects.toThrow(
        'the backup has a table "later" that this version does not know',
      );
      expect((await contentOf(target)).size).toBe(0);
    });
  },
  { tags: ["exhaustive"] },
);
