import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { operations } from "@security-platform/spec";
import { expect, test, vi } from "vitest";
import { createClient } from "../src/access/clients.ts";
import { grantToken } from "../src/access/tokens.ts";
import { LocalBlobs } from "../src/blobs/local-blobs.ts";
import { BackupError } from "../src/host/backup/archive.ts";
import { exportSnapshot, type ArchiveParts } from "../src/host/backup/back-up.ts";
import {
  importSnapshot,
  restore,
  verifyBackup,
  type RestoreParts,
} from "../src/host/backup/restore.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import { newestMigration } from "../src/store/schema/migrate.ts";
import { allScopes, runTestApi, startTestApi, type TestApi } from "./support/api.ts";
import { clock, contentOf, copyOf, craft, newBackup, temporary } from "./support/backups.ts";
import { onPostgres, onSqlite, withPostgresAtNight, type Engine } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { administer } from "./support/raw-sql.ts";
import { testKeys } from "./support/secret-keys.ts";
import { sendRequest } from "./support/send-request.ts";
import { sha256 } from "./support/sha256.ts";

const nightly = { tags: ["nightly"] };

async function exported(url: string, more: Partial<ArchiveParts> = {}): Promise<string> {
  const path = join(temporary(), "all.tar");
  const common = { databaseLimits: {}, blobs: null, readKeys: null, version: "1.2.3" };
  await exportSnapshot({ url, path, ...common, ...more });
  return path;
}

const importing = (url: string, path: string, more: Partial<RestoreParts> = {}) =>
  importSnapshot({ url, path, databaseLimits: {}, blobs: null, replace: false, clock, ...more });

const bytesOf = (path: string): string => sha256(readFileSync(path));

/** A world that a server has changed, and the token of a client of its first tenant. */
async function usedWorld(engine: Engine) {
  const { url, seeded } = await engine.world("small");
  const time = new ManualClock();
  const api = await startTestApi({ databaseUrl: url, clock: time });
  const client = await createClient(api.store.directory, time, {
    cid: seeded.cid,
    name: "reader",
    scopes: allScopes,
  });
  const { access_token: token } = await grantToken(api.store, time, 1_799, {
    clientId: client.client_id,
    secret: client.client_secret,
  });
  await change(api, token);
  return { url, token, api };
}

/** Versions, deleted records, texts that few programs expect, and a file. */
async function change(api: TestApi, token: string): Promise<void> {
  const path = "/iocs/entities/indicators/v1";
  const indicator = { type: "domain", action: "no_action", platforms: ["linux"] };
  const created = await api.request<{ id: string }[]>("POST", path, {
    token,
    body: {
      indicators: ["b.example", "a.example", "gone.example"].map((value) => ({
        ...indicator,
        value,
        applied_globally: true,
        description: 'Ü "quoted" \u2028 \u0001 \ud83d\ude00 1e400',
      })),
    },
  });
  expect([created.status, created.text]).toEqual([201, expect.anything()]);
  const [first, , last] = created.body;
  const changed = await api.request("PATCH", path, {
    token,
    body: { indicators: [{ id: first?.id, tags: ["later"] }], comment: "a change" },
  });
  expect(changed.status).toBe(200);
  const removed = await api.request("DELETE", path, { token, query: { ids: last?.id ?? "" } });
  expect(removed.status).toBe(200);
  await api.blobs.put(Readable.from([Buffer.from("a file")]));
}

/** Times, random numbers and ports of one request. */
const ofRequest = /"query_time":[\d.e-]+|"trace_id":"[^"]*"|"token":"[^"]*"|127\.0\.0\.1:\d+/g;

/** What a server serves to a client for each operation that needs no parameters. */
async function servedBy(url: string, token: string): Promise<ReadonlyMap<string, unknown>> {
  const { api, stop } = await runTestApi({ databaseUrl: url });
  const served = new Map<string, unknown>();
  try {
    for (const { method, path, parameters, id } of operations()) {
      if (method !== "get" || path.includes("{") || path.startsWith("/oauth2")) continue;
      if (parameters.some(({ required }) => required)) continue;
      const { status, text } = await sendRequest(`${api.url}${path}`, {
        method: "GET",
        headers: { authorization: `Bearer ${token}` },
      });
      served.set(id, [status, text.replaceAll(ofRequest, "")]);
    }
  } finally {
    await stop();
  }
  return served;
}

/** Exports the world of an engine, imports it there and elsewhere, and compares all that can be seen. */
async function roundTrip(from: Engine, to: Engine): Promise<void> {
  const { url, token, api } = await usedWorld(from);
  const first = await exported(url, { blobs: api.blobs });
  const blobs = new LocalBlobs(temporary());
  const target = await to.emptyUrl();
  const summary = await importing(target, first, { blobs });
  expect(summary).toEqual({
    kind: "snapshot",
    version: "1.2.3",
    schema: newestMigration,
    files: expect.toSatisfy((files: number) => files > 0),
    keys: false,
  });
  expect(await verifyBackup(first)).toEqual(summary);
  expect(bytesOf(await exported(target, { blobs }))).toBe(bytesOf(first));
  const back = await from.emptyUrl();
  await importing(back, await exported(target));
  const [before, after] = [await contentOf(url), await contentOf(back)];
  expect([...after.keys()]).toEqual([...before.keys()]);
  for (const [table, rows] of before) expect([table, after.get(table)]).toEqual([table, rows]);
  const served = await servedBy(url, token);
  expect(served.size).toBeGreaterThan(50);
  expect(
    [...served.values()].filter((each) => (each as [number])[0] === 200).length,
  ).toBeGreaterThan(40);
  expect(await servedBy(target, token)).toEqual(served);
}

withPostgresAtNight((engine) => {
  test(
    "a snapshot has the same bytes after an import, and the records are served as before",
    { tags: ["exhaustive"] },
    () => roundTrip(engine, engine),
  );

  test("a database that is not empty is replaced only on demand", async () => {
    const path = await exported(await engine.url());
    const url = await engine.bareUrl();
    await expect(importing(url, path)).rejects.toThrow(
      "the database is not empty; choose an empty one, or add --replace",
    );
    await importing(url, path, { replace: true });
    expect(bytesOf(await exported(url))).toBe(bytesOf(path));
    const store = await openStoreAt({ url, keys: testKeys });
    expect(await store.ready()).toBe("ready");
    await store.close();
  });

  test("a damaged snapshot, a newer one, and one that cannot be read change nothing", async () => {
    const whole = readFileSync(await exported(await engine.bareUrl()));
    const target = await engine.emptyUrl();
    const flipped = Buffer.from(whole);
    flipped.writeUInt8(flipped.readUInt8(flipped.length >> 1) ^ 1, flipped.length >> 1);
    for (const content of [whole.subarray(0, whole.length >> 1), flipped, Buffer.alloc(0)]) {
      await expect(importing(target, copyOf(content))).rejects.toThrow(BackupError);
    }
    const schema = newestMigration + 1;
    await expect(importing(target, await craft({ kind: "snapshot", schema }))).rejects.toThrow(
      `the snapshot has schema ${schema}, and this version knows schemas up to ${newestMigration}`,
    );
    const rows = Buffer.from('{"cid":"a"}\n');
    const unknown = await craft({ kind: "snapshot" }, { "tables/later/000001.ndjson": rows });
    await expect(importing(target, unknown)).rejects.toThrow(
      'the snapshot has a table "later" that this version does not know',
    );
    const wrong = await craft({ kind: "snapshot" }, { "tables/tenants/000001.ndjson": rows });
    await expect(importing(target, wrong)).rejects.toThrow();
    await importing(target, copyOf(whole));
  });

  test("a backup is no snapshot, and a snapshot no backup", async () => {
    const url = await engine.bareUrl();
    const target = await engine.emptyUrl();
    await expect(importing(target, await newBackup(url))).rejects.toThrow(
      /is a backup of a (SQLite|PostgreSQL) database, not a snapshot; restore it with: secplat restore$/,
    );
    const parts = { databaseLimits: {}, blobs: null, replace: false, clock };
    await expect(restore({ ...parts, url: target, path: await exported(url) })).rejects.toThrow(
      /is a snapshot, not a backup; load it with: secplat snapshot import$/,
    );
  });

  test("a database of a newer version, and one of another program, are not exported", async () => {
    const newer = await engine.bareUrl();
    await administer(
      newer,
      `insert into schema_migrations (number, name, applied_at)
       values (${newestMigration + 1}, 'later', '2030'); select 1`,
    );
    await expect(exported(newer)).rejects.toThrow(
      `the database has schema ${newestMigration + 1}, and this version knows schemas up to`,
    );
    const foreign = await engine.emptyUrl();
    await administer(foreign, "create table jobs (id integer); select 1");
    await expect(exported(foreign)).rejects.toThrow(
      'this database holds a table "jobs" of another program',
    );
  });
});

onPostgres(
  (postgres) =>
    onSqlite((sqlite) => {
      test("a platform moves from SQLite to PostgreSQL and back", nightly, () =>
        roundTrip(sqlite, postgres),
      );

      test("a platform moves from PostgreSQL to SQLite and back", nightly, () =>
        roundTrip(postgres, sqlite),
      );
    }),
  { tags: ["exhaustive"] },
);

onSqlite((engine) => {
  test("a new file that lacks what only its log has does not replace the database", async () => {
    const path = await exported(await engine.url());
    const url = await engine.bareUrl();
    const before = await contentOf(url);
    const file = url.slice("sqlite:".length);
    // Like a full disk, it keeps SQLite from copying the log when the new database is closed.
    let reader: DatabaseSync | undefined;
    const signal = AbortSignal.any([]);
    vi.spyOn(signal, "throwIfAborted").mockImplementation(() => {
      if (reader !== undefined) return;
      const [draft = ""] = readdirSync(dirname(file)).filter((name) => name.endsWith(".restored"));
      reader = new DatabaseSync(join(dirname(file), draft));
      reader.exec("begin; select count(*) from sqlite_schema");
    });
    try {
      await expect(importing(url, path, { replace: true, signal })).rejects.toThrow(
        /test\.db: another process has it open; stop that process first$/,
      );
    } finally {
      reader?.close();
    }
    expect(await contentOf(url)).toEqual(before);
    await importing(url, path, { replace: true });
    expect(bytesOf(await exported(url))).toBe(bytesOf(path));
  });

  test("the file of a new database can be read by this user only, like a restored one", async () => {
    const file = join(temporary(), "new", "platform.sqlite");
    await importing(`sqlite:${file}`, await exported(await engine.bareUrl()));
    expect(statSync(file).mode & 0o077).toBe(process.platform === "win32" ? 0o066 : 0);
  });
});
