import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { servedDocument } from "@security-platform/spec";
import { describe, expect, test } from "vitest";
import type { ServerLimits } from "../src/foundation/config.ts";
import { importRecords } from "../src/imports/index.ts";
import { purgeBlobs } from "../src/jobs/purge-blobs.ts";
import { resources } from "../src/platform/resources.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import { startTestApi, type Answer, type TestApi } from "./support/api.ts";
import { filePaths, formOf, type FileDetail } from "./support/case-files.ts";
import { paths as casePaths } from "./support/cases.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { exportOf, launch } from "./support/exports.ts";
import { inventory, sendInventory } from "./support/images.ts";
import { domain, paths, type Indicator } from "./support/ioc.ts";
import { workerOf } from "./support/jobs.ts";
import { days, ManualClock, minutes, seconds } from "./support/manual-clock.ts";
import { testKeys } from "./support/secret-keys.ts";
import { messages, type ErrorBody } from "./support/session.ts";

const kilobyte = 1_024;
const megabyte = 1_024 * kilobyte;

type Client = Pick<TestApi, "request">;

/** Indicators of about the given size in bytes. */
const create = (api: Client, names: readonly string[], bytes = 0, headers = {}) =>
  api.request<readonly Indicator[]>("POST", paths.indicators, {
    headers,
    query: { ignore_warnings: true },
    body: {
      indicators: names.map((name) =>
        domain(`${name}.example`, { tags: [name], description: "x".repeat(bytes) }),
      ),
    },
  });

const newCase = async (api: Client): Promise<string> => {
  const answer = await api.request<readonly { id: string }[]>("PUT", casePaths.cases, {
    body: { name: "a case", severity: 20 },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body[0]?.id ?? "";
};

const upload = <Body = readonly FileDetail[]>(
  api: Client,
  caseId: string,
  bytes: number,
  { fill = "x", headers = {} }: { fill?: string; headers?: Record<string, string> } = {},
): Promise<Answer<Body>> =>
  api.request<Body>("POST", filePaths.upload, {
    headers,
    body: formOf(caseId, { content: fill.repeat(bytes) }),
  });

const full = (whose: string, limit: number) =>
  new RegExp(
    `^${whose} storage is full: \\d+ of ${limit} bytes are used, and this request needs \\d+; ` +
      "nothing was stored, delete records or files first$",
  );

function expectFull(answer: Answer, limit: number, whose = "the tenant's"): void {
  expect(answer.status, answer.text).toBe(507);
  expect(messages(answer as Answer<ErrorBody>)).toEqual([
    expect.stringMatching(full(whose, limit)) as string,
  ]);
}

/** Creates indicators of a kilobyte until one is refused. Returns the number of those that were created. */
async function fillTenant(api: Client, prefix: string, most: number): Promise<number> {
  for (let count = 0; count < most; count += 1) {
    const answer = await create(api, [`${prefix}-${count}`], kilobyte);
    if (answer.status === 507) return count;
    expect(answer.status, answer.text).toBe(201);
  }
  return most;
}

const blobsOf = async ({ blobs }: TestApi): Promise<number> => {
  let bytes = 0;
  for await (const blob of blobs.list()) bytes += blob.bytes;
  return bytes;
};

const incoming = async ({ blobs }: TestApi): Promise<readonly string[]> =>
  readdirSync(await blobs.incoming());

withPostgresAtNight((engine) => {
  const open = async (limits: Partial<ServerLimits>) => {
    const databaseUrl = await engine.url();
    const clock = new ManualClock();
    const api = await startTestApi({ databaseUrl, clock, limits });
    return { api, clock, databaseUrl };
  };

  describe("a tenant's limit", () => {
    const limit = 20 * kilobyte;
    const limits = { tenantStorageBytes: limit };

    test("a tenant that is full cannot create, but reads, changes and deletes, and another tenant is not affected", async () => {
      const { api } = await open(limits);
      const created = await fillTenant(api, "a", 100);
      expect(created).toBeGreaterThan(10);
      expect(created).toBeLessThan(20);
      expectFull(await create(api, ["more"], kilobyte), limit);
      const listed = await api.request<readonly string[]>("GET", paths.search, {
        query: { limit: 100 },
      });
      expect(listed.body).toHaveLength(created);
      const [first, second, ...others] = listed.body;
      // A change is not refused, but counts.
      const grown = await api.request("PATCH", paths.indicators, {
        body: {
          indicators: [first, second].map((id) => ({ id, description: "y".repeat(4_000) })),
        },
      });
      expect(grown.status, grown.text).toBe(200);
      const removed = await api.request("DELETE", paths.indicators, {
        query: { ids: others.slice(0, 2) },
      });
      expect(removed.status, removed.text).toBe(200);
      expectFull(await create(api, ["more"], kilobyte), limit);
      const other = { ...api, ...(await api.newTenant("other")) };
      const { token } = other;
      const request: TestApi["request"] = (method, path, options) =>
        api.request(method, path, { token, ...options });
      expect((await create({ request }, ["more"], kilobyte)).status).toBe(201);
    });

    test("the last byte can be used, and not one more", async () => {
      const { api } = await open(limits);
      const caseId = await newCase(api);
      const refused = await upload<ErrorBody>(api, caseId, limit);
      expectFull(refused, limit);
      const [used = 0, , needed = 0] = (messages(refused)[0]?.match(/\d+/g) ?? []).map(Number);
      const room = limit - used - (needed - limit);
      expectFull(await upload(api, caseId, room + 1), limit);
      const last = await upload(api, caseId, room);
      expect(last.status, last.text).toBe(200);
    });

    test("deletions make room at once, also those by a filter and of records that filters still find", async () => {
      const { api } = await open(limits);
      const created = await fillTenant(api, "a", 100);
      const removed = await api.request("DELETE", paths.indicators, {
        query: { filter: "tags:'a-1'" },
      });
      expect(removed.status, removed.text).toBe(200);
      expect((await create(api, ["b"], kilobyte)).status).toBe(201);
      expectFull(await create(api, ["c"], kilobyte), limit);
      await api.request("DELETE", paths.indicators, { query: { filter: "id:*" } });
      expect(await fillTenant(api, "d", 100)).toBe(created);
    });

    test("a restart keeps the count", async () => {
      const { api, clock, databaseUrl } = await open(limits);
      await fillTenant(api, "a", 100);
      const again = await startTestApi({ databaseUrl, clock, limits, blobs: api.blobs });
      const { token } = api;
      const request: TestApi["request"] = (method, path, options) =>
        again.request(method, path, { token, ...options });
      expectFull(await create({ request }, ["b"], kilobyte), limit);
      await request("DELETE", paths.indicators, { query: { filter: "tags:'a-1'" } });
      expect((await create({ request }, ["b"], kilobyte)).status).toBe(201);
      expectFull(await create({ request }, ["c"], kilobyte), limit);
    });

    test("many records in one request are refused before any of them is stored", async () => {
      const { api } = await open(limits);
      const names = Array.from({ length: 100 }, (_, index) => `bulk-${index}`);
      expectFull(await create(api, names, 300), limit);
      const listed = await api.request<readonly string[]>("GET", paths.search);
      expect(listed.body).toEqual([]);
      expect((await create(api, names.slice(0, 10), 300)).status).toBe(201);
    });

    test("records of other processes count after a minute", async () => {
      const { api, clock, databaseUrl } = await open(limits);
      expect((await create(api, ["first"])).status).toBe(201);
      const store = await openStoreAt({ url: databaseUrl, clock, resources, keys: testKeys });
      const lines = Array.from({ length: 40 }, (_, index) =>
        JSON.stringify(domain(`host-${index}.example`, { description: "x".repeat(kilobyte) })),
      );
      const { cid } = api.tenant;
      await importRecords(store, { cid, kind: "indicators", lines, clock });
      await store.close();
      clock.advance(minutes(1));
      // The count goes on in the background, so the first requests may still be accepted.
      await expect
        .poll(async () => (await create(api, [randomUUID()])).status, { timeout: 20_000 })
        .toBe(507);
    });

    test("records that are imported in the process count at once", async () => {
      const { api, clock } = await open(limits);
      expect((await create(api, ["first"])).status).toBe(201);
      const lines = Array.from({ length: 40 }, (_, index) =>
        JSON.stringify(domain(`host-${index}.example`, { description: "x".repeat(kilobyte) })),
      );
      const { cid } = api.tenant;
      await importRecords(api.store, { cid, kind: "indicators", lines, clock });
      expectFull(await create(api, ["second"]), limit);
    });

    test("an upload is cut off where it passes the limit, and leaves nothing", async () => {
      const { api } = await open({ tenantStorageBytes: megabyte });
      const id = await newCase(api);
      expect((await upload(api, id, 600 * kilobyte)).status).toBe(200);
      expectFull(await upload(api, id, 600 * kilobyte, { fill: "y" }), megabyte);
      expect(await incoming(api)).toEqual([]);
      expect(await blobsOf(api)).toBe(600 * kilobyte);
      const files = await api.request<readonly FileDetail[]>("GET", filePaths.combined);
      expect(files.body).toHaveLength(1);
      // The same content is a file of its own.
      expectFull(await upload(api, id, 600 * kilobyte), megabyte);
      expect((await upload(api, id, 300 * kilobyte, { fill: "z" })).status).toBe(200);
      const query = { ids: files.body.map((file) => file.id) };
      expect((await api.request("DELETE", filePaths.files, { query })).status).toBe(200);
      expect((await upload(api, id, 600 * kilobyte, { fill: "y" })).status).toBe(200);
    });

    test("an upload to a full tenant is refused before its file arrives", async () => {
      const { api } = await open(limits);
      const id = await newCase(api);
      await fillTenant(api, "a", 100);
      await create(api, ["rest"], 500);
      await create(api, ["rest"], 1);
      const socket = connect(Number(new URL(api.url).port), "127.0.0.1");
      socket.write(
        `POST ${filePaths.upload} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.token}\r\n` +
          "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 10000000\r\n\r\n" +
          `--b\r\nContent-Disposition: form-data; name="case_id"\r\n\r\n${id}\r\n` +
          '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n' +
          "Content-Type: application/octet-stream\r\n\r\n" +
          "x".repeat(2 * kilobyte),
      );
      const [data] = (await once(socket, "data")) as [Buffer];
      socket.destroy();
      expect(String(data)).toMatch(/^HTTP\/1\.1 507 /);
    });

    test("a request that is sent again gets its first response, although the tenant is full now", async () => {
      const { api } = await open({ tenantStorageBytes: megabyte });
      const id = await newCase(api);
      const headers = { "idempotency-key": randomUUID() };
      const first = await upload(api, id, 600 * kilobyte, { headers });
      expect(first.status).toBe(200);
      const keyed = { "idempotency-key": randomUUID() };
      const created = await create(api, ["keyed"], 2 * kilobyte, keyed);
      expect(created.status).toBe(201);
      expect((await upload(api, id, 440 * kilobyte, { fill: "y" })).status).toBe(507);
      const again = await upload(api, id, 600 * kilobyte, { headers });
      expect([again.status, again.body]).toEqual([200, first.body]);
      expect(again.headers.get("idempotency-replayed")).toBe("true");
    });

    test("a refusal is not kept for the key of the request", async () => {
      const { api } = await open(limits);
      await fillTenant(api, "a", 100);
      const headers = { "idempotency-key": randomUUID() };
      expectFull(await create(api, ["b"], kilobyte, headers), limit);
      await api.request("DELETE", paths.indicators, { query: { filter: "tags:'a-1'" } });
      expect((await create(api, ["b"], kilobyte, headers)).status).toBe(201);
    });

    test("the reports of scans count", async () => {
      const { api } = await open(limits);
      const statuses: number[] = [];
      for (let count = 0; count < 40 && statuses.at(-1) !== 507; count += 1) {
        statuses.push((await sendInventory(api, inventory())).status);
      }
      expect(statuses.at(-1)).toBe(507);
      expect(statuses.length).toBeGreaterThan(2);
    });

    test("an export that finds no room fails, and says so", async () => {
      const { api } = await open(limits);
      const id = await launch(api, { resource: "images.images-assessment", format: "json" });
      await fillTenant(api, "a", 100);
      await create(api, ["rest"], 300);
      await api.request("PATCH", paths.indicators, {
        body: { bulk_update: { filter: "id:*", description: "y".repeat(2 * kilobyte) } },
      });
      await api.work();
      expect(await exportOf(api, id)).toMatchObject({ status: "FAILED" });
    });

    test("everything that is in progress counts, so that requests at once cannot exceed the limit", async () => {
      const { api } = await open({ tenantStorageBytes: megabyte });
      const id = await newCase(api);
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          upload(api, id, 300 * kilobyte, { fill: String(index) }),
        ),
      );
      const statuses = new Set(answers.map(({ status }) => status));
      expect([...statuses].toSorted()).toEqual([200, 507]);
      expect(await blobsOf(api)).toBeLessThanOrEqual(megabyte);
      expect(await incoming(api)).toEqual([]);
    });
  });

  describe("the server's limit", () => {
    /** More than an empty database, and so little that some megabytes fill it. */
    const room = async (more: number) => {
      const databaseUrl = await engine.url();
      const clock = new ManualClock();
      const store = await openStoreAt({ url: databaseUrl, clock, resources, keys: testKeys });
      const limit = (await store.sizes.database()) + more;
      await store.close();
      const api = await startTestApi({ databaseUrl, clock, limits: { storageBytes: limit } });
      return { api, clock, limit, databaseUrl };
    };

    test("records of any tenant fill it, and then no tenant can create", async () => {
      const { api, limit, clock } = await room(3 * megabyte);
      let status = 201;
      for (let count = 0; count < 100 && status === 201; count += 1) {
        const names = Array.from({ length: 50 }, (_, index) => `bulk-${count}-${index}`);
        ({ status } = await create(api, names, kilobyte));
        clock.advance(seconds(5));
      }
      expect(status).toBe(507);
      const { token } = await api.newTenant("other");
      const request: TestApi["request"] = (method, path, options) =>
        api.request(method, path, { token, ...options });
      expectFull(await create({ request }, ["a"], 2 * kilobyte), limit, "the server's");
      expect((await api.request("GET", paths.search)).status).toBe(200);
    });

    test("files fill it, equal ones once; deleted ones make room when they are removed; a restart keeps the count", async () => {
      const { api, limit, clock, databaseUrl } = await room(4 * megabyte);
      const id = await newCase(api);
      for (let count = 0; count < 3; count += 1) {
        expect((await upload(api, id, 1_500 * kilobyte)).status).toBe(200);
      }
      expect(await blobsOf(api)).toBe(1_500 * kilobyte);
      expect((await upload(api, id, megabyte, { fill: "y" })).status).toBe(200);
      expectFull(await upload(api, id, 2 * megabyte, { fill: "z" }), limit, "the server's");
      expect(await incoming(api)).toEqual([]);
      const { token } = api;
      const again = await startTestApi({
        databaseUrl,
        clock,
        limits: { storageBytes: limit },
        blobs: api.blobs,
      });
      const request: TestApi["request"] = (method, path, options) =>
        again.request(method, path, { token, ...options });
      expectFull(await upload({ request }, id, 2 * megabyte, { fill: "z" }), limit, "the server's");
      const files = await request<readonly FileDetail[]>("GET", filePaths.combined);
      const query = { ids: files.body.map((file) => file.id) };
      expect((await request("DELETE", filePaths.files, { query })).status).toBe(200);
      expectFull(await upload({ request }, id, 2 * megabyte, { fill: "z" }), limit, "the server's");
      clock.advance(days(2));
      await again.store.sweep(clock.now());
      const fileClock = { now: () => new Date(Date.now() + days(2)) };
      const worker = workerOf(again, [purgeBlobs(again.store, again.blobs, fileClock)]);
      await worker.drain();
      clock.advance(days(1));
      await worker.drain();
      expect(await blobsOf(again)).toBe(0);
      const fresh = await again.newToken(api.client);
      const later: TestApi["request"] = (method, path, options) =>
        again.request(method, path, { token: fresh, ...options });
      expect((await upload({ request: later }, id, 2 * megabyte, { fill: "z" })).status).toBe(200);
    });

    test("/readyz shows the limits and what is used", async () => {
      const { api, limit } = await room(3 * megabyte);
      const used = async () => {
        const response = await fetch(`${api.url}/readyz`);
        expect(response.status).toBe(200);
        const { resources: details } = (await response.json()) as {
          resources: [{ storage: { used_bytes: number } }];
        };
        expect(details).toEqual([
          {
            storage: {
              limit_bytes: limit,
              used_bytes: expect.any(Number) as number,
              tenant_limit_bytes: null,
            },
          },
        ]);
        return details[0].storage.used_bytes;
      };
      const before = await used();
      expect(before).toBeGreaterThan(0);
      const id = await newCase(api);
      await upload(api, id, megabyte);
      expect(await used()).toBeGreaterThanOrEqual(before + megabyte);
    });
  });

  test("without a limit nothing is counted", async () => {
    const { api } = await open({});
    expect((await create(api, ["a"], kilobyte)).status).toBe(201);
    const response = await fetch(`${api.url}/readyz`);
    expect(await response.json()).toMatchObject({ resources: [], errors: [] });
  });
});

test("the operations that a limit refuses are those that add records or files", () => {
  const limited = servedDocument().operations.filter(({ addsRecords }) => addsRecords === true);
  expect(limited.length).toBeGreaterThan(30);
  expect(new Set(limited.map(({ method }) => method))).toEqual(new Set(["post", "put"]));
});
