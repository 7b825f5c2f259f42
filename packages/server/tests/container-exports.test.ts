import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { DiskBlobs } from "../src/blobs/blob-store.ts";
import { ownBlobs } from "../src/blobs/open-blobs.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import {
  download,
  exported,
  exportIdsPath,
  exportOf,
  exportsPath,
  launch,
  readCsv,
  rejection,
  storedExport,
  storeExports,
  storeVulnerabilities,
  vulnerability,
} from "./support/exports.ts";
import { days, seconds } from "./support/manual-clock.ts";
import type { ErrorBody } from "./support/session.ts";
import { sharedApi } from "./support/shared-api.ts";
import type { TestApi } from "./support/api.ts";

const csvOf = (resource: "images.vulnerabilities", more: object = {}) =>
  ({ resource, format: "csv", ...more }) as const;

/** Makes the next writes of files fail. */
class BrokenBlobs {
  failures = 0;

  around(blobs: DiskBlobs): DiskBlobs {
    const put: DiskBlobs["put"] = async (content) => {
      if (this.failures === 0) return blobs.put(content);
      this.failures -= 1;
      for await (const _ of content) throw new Error("the disk is full");
      throw new Error("the disk is full");
    };
    return new Proxy(blobs, {
      get: (target, name) => {
        if (name === "put") return put;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }
}

withPostgresAtNight((engine) => {
  const broken = new BrokenBlobs();
  const suite = sharedApi(engine, {
    blobs: broken.around(ownBlobs("sqlite::memory:").blobs),
  });

  const withRows = async (count: number): Promise<TestApi> => {
    const api = await suite.open();
    const rows = Array.from({ length: count }, (_, number) => vulnerability(number));
    await storeVulnerabilities(api.store, api.tenant.cid, rows, api.clock.now());
    return api;
  };

  const statusOf = async (api: TestApi, id: string) => (await exportOf(api, id)).status;

  describe("an export", () => {
    test("is launched, runs, and ends with a file that can be read in full or in part", async () => {
      const api = await withRows(30);
      const launchedAt = api.clock.now().toISOString();
      const id = await launch(
        api,
        csvOf("images.vulnerabilities", { expand_vulnerabilities: true }),
      );
      expect(await exportOf(api, id)).toEqual({
        id,
        resource: "images.vulnerabilities",
        status: "READY",
        retries: 0,
        created_at: launchedAt,
        updated_at: launchedAt,
      });
      const early = await download(api, id);
      expect(early.status).toBe(404);
      expect(((await early.json()) as ErrorBody).errors).toEqual([
        {
          code: 404,
          id,
          message: `export job ${id} is not done yet: its status is READY; try again later`,
        },
      ]);
      api.clock.advance(seconds(1));
      await api.work();
      expect(await exportOf(api, id)).toMatchObject({
        status: "DONE",
        retries: 0,
        updated_at: api.clock.now().toISOString(),
      });
      const whole = await download(api, id);
      const bytes = Buffer.from(await whole.arrayBuffer());
      expect(whole.headers.get("content-type")).toBe("application/octet-stream");
      expect(whole.headers.get("content-disposition")).toMatch(
        /^attachment; filename="images\.vulnerabilities-\d{8}T\d{6}Z\.csv"$/,
      );
      expect(whole.headers.get("etag")).toBe(
        `"${createHash("sha256").update(bytes).digest("hex")}"`,
      );
      expect(readCsv(bytes.toString())).toHaveLength(31);
      const part = await download(api, id, { range: "bytes=10-29" });
      expect(part.status).toBe(206);
      expect(part.headers.get("content-range")).toBe(`bytes 10-29/${bytes.length}`);
      expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(10, 30));
      const beyond = await download(api, id, { range: `bytes=${bytes.length}-` });
      expect(beyond.status).toBe(416);
      await beyond.text();
    });

    test("of a tenant is unknown to other tenants", async () => {
      const api = await withRows(10);
      const id = await launch(api, csvOf("images.vulnerabilities"));
      await api.work();
      const other = await suite.open();
      expect((await download(other, id)).status).toBe(404);
      const read = await other.request("GET", exportsPath, { query: { ids: id } });
      expect(read.status).toBe(404);
      expect((await other.request("GET", exportIdsPath)).body).toEqual([]);
      expect(readCsv(await exported(other, csvOf("images.vulnerabilities")))).toHaveLength(1);
    });

    test("requires the scope to read images", async () => {
      const api = await withRows(1);
      const token = await api.newToken(api.client, { scope: "ioc-management:read" });
      const answer = await api.request("POST", exportsPath, {
        token,
        body: csvOf("images.vulnerabilities"),
      });
      expect(answer.status).toBe(403);
    });

    test("waits while another export of its resource runs; other exports do not", async () => {
      const api = await withRows(10);
      const request = csvOf("images.vulnerabilities");
      const first = await launch(api, request);
      api.clock.advance(1);
      const second = await launch(api, request);
      api.clock.advance(1);
      const third = await launch(api, request);
      const other = await launch(api, { resource: "images.packages", format: "json" });
      const statuses = () =>
        Promise.all([first, second, third, other].map((id) => statusOf(api, id)));
      expect(await statuses()).toEqual(["READY", "WAITING", "WAITING", "READY"]);
      broken.failures = 1;
      await api.work();
      // The first one failed, and will run again before the others.
      expect(await statuses()).toEqual(["WAITING_FOR_RETRY", "WAITING", "WAITING", "DONE"]);
      api.clock.advance(seconds(10));
      await api.work();
      expect(await statuses()).toEqual(["DONE", "DONE", "DONE", "DONE"]);
      expect(await exportOf(api, first)).toMatchObject({ retries: 1 });
      const query = { limit: 10, cid: api.tenant.cid, kind: "exports.write" };
      const runs = await api.store.jobs.list(query);
      expect(runs.map(({ state, attempts }) => [state, attempts])).toEqual([
        ["succeeded", 1],
        ["succeeded", 1],
        ["succeeded", 1],
        ["succeeded", 2],
      ]);
    });

    test("that fails repeatedly ends as failed, and the next one of its resource runs", async () => {
      const api = await withRows(10);
      const failing = await launch(api, csvOf("images.vulnerabilities"));
      api.clock.advance(1);
      const next = await launch(api, csvOf("images.vulnerabilities"));
      api.clock.advance(1);
      const last = await launch(api, csvOf("images.vulnerabilities"));
      broken.failures = 6;
      for (let attempt = 0; attempt < 5; attempt += 1) {
        await api.work();
        api.clock.advance(seconds(90));
      }
      expect(await exportOf(api, failing)).toMatchObject({ status: "FAILED", retries: 4 });
      const answer = await download(api, failing);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain("has failed and has no file; launch it again");
      // The next one is the one that has waited longest. It failed as well, and blocks the last one.
      expect(await statusOf(api, next)).toBe("WAITING_FOR_RETRY");
      expect(await statusOf(api, last)).toBe("WAITING");
      await api.work();
      expect(await statusOf(api, next)).toBe("DONE");
      expect(await statusOf(api, last)).toBe("DONE");
    });

    test("expires with its file, and is deleted later", async () => {
      const api = await withRows(10);
      const id = await launch(api, csvOf("images.vulnerabilities"));
      await api.work();
      const { file } = await storedExport(api, id);
      const isStored = async () => (await api.store.referencedBlobs([file])).size > 0;
      expect(await isStored()).toBe(true);
      api.clock.advance(days(7));
      const later = { ...api, token: await api.newToken(api.client) };
      // No job is needed for it.
      expect(
        await later.request("GET", exportsPath, { query: { ids: id }, token: later.token }),
      ).toMatchObject({ body: [{ status: "RESULT_DELETED" }] });
      const filter = "status:'RESULT_DELETED'";
      const listed = await api.request("GET", exportIdsPath, {
        query: { filter },
        token: later.token,
      });
      expect(listed.body).toEqual([id]);
      const expired = await download(later, id);
      expect(expired.status).toBe(404);
      expect(await expired.text()).toContain("had a file that has expired");
      await api.work();
      api.clock.advance(days(1));
      await api.store.sweep(api.clock.now());
      expect(await isStored()).toBe(false);
      api.clock.advance(days(82));
      await api.work();
      const latest = await api.newToken(api.client);
      const read = await api.request("GET", exportsPath, { query: { ids: id }, token: latest });
      expect(read.status).toBe(404);
    });

    test("contains the records that are stored when it starts", async () => {
      const api = await withRows(10);
      const id = await launch(
        api,
        csvOf("images.vulnerabilities", { expand_vulnerabilities: true }),
      );
      await storeVulnerabilities(api.store, api.tenant.cid, [vulnerability(10)], api.clock.now());
      await api.work();
      expect(readCsv(await (await download(api, id)).text())).toHaveLength(12);
    });
  });

  describe("lists of exports", () => {
    test("contain the last hundred, newest first, by resource and status", async () => {
      const api = await suite.open();
      const ids = await storeExports(api, 102, (number) => ({
        resource: number % 2 === 0 ? "images.packages" : "assets.nodes",
        status: number <= 50 ? "DONE" : "READY",
      }));
      const list = async (filter?: string) =>
        (
          await api.request<readonly string[]>("GET", exportIdsPath, {
            query: filter === undefined ? {} : { filter },
          })
        ).body;
      const newest = ids.toReversed().slice(0, 100);
      expect(await list()).toEqual(newest);
      expect(await list("status:'DONE'")).toEqual(newest.slice(-49));
      expect(await list("resource:'images.packages'+status:!'DONE'")).toEqual(
        newest.slice(0, 51).filter((id) => ids.indexOf(id) % 2 === 0),
      );
      const wrong = await api.request<ErrorBody>("GET", exportIdsPath, {
        query: { filter: "state:'DONE'" },
      });
      expect(wrong.status).toBe(400);
      expect(wrong.body.errors[0]?.message).toContain("Did you mean 'status'?");
      const many = await api.request<ErrorBody>("GET", exportsPath, {
        query: { ids: [...newest, ids[0] ?? ""] },
      });
      expect(many.status).toBe(400);
      expect(many.body.errors[0]?.message).toContain("query.ids");
    });

    test("limit open exports to a hundred", async () => {
      const api = await suite.open();
      const request = { resource: "images.packages", format: "json" } as const;
      const status = (number: number) => (number === 0 ? "DONE" : "READY");
      await storeExports(api, 100, (number) => ({ status: status(number) }));
      expect(await statusOf(api, await launch(api, request))).toBe("WAITING");
      const answer = await api.request<ErrorBody>("POST", exportsPath, { body: request });
      expect(answer.status).toBe(429);
      expect(answer.headers.get("retry-after")).toBe("60");
    });
  });

  test("an invalid request is rejected at once, with every problem", async () => {
    const api = await suite.open();
    const base = { resource: "images.vulnerabilities", format: "csv" };
    const messagesOf = async (body: object) => {
      const { status, messages } = await rejection(api, body);
      expect(status).toBe(400);
      return messages;
    };
    const wrong = await messagesOf({ ...base, fql: "severty:'high'", sort: "severity" });
    expect(wrong).toHaveLength(2);
    expect(wrong[0]).toMatch(/^body\.fql: Invalid filter expression supplied.*severity/);
    expect(wrong[1]).toMatch(/^body\.sort: .*severity/);
    const [resource] = await messagesOf({ ...base, resource: "images.vulnerability" });
    expect(resource).toMatch(/^body\.resource: .*did you mean images\.vulnerabilities/i);
    const [format] = await messagesOf({ ...base, format: "xml" });
    expect(format).toContain("body.format");
    const expanded = { ...base, resource: "images.packages", expand_vulnerabilities: true };
    expect(await messagesOf(expanded)).toEqual([
      "body.expand_vulnerabilities: is only possible with images.vulnerabilities, not with images.packages",
    ]);
    const [unknown] = await messagesOf({ ...base, resource: "assets.pods", fql: "name:'a'" });
    expect(unknown).toMatch(/^body\.fql: cannot be used with assets\.pods/);
    expect((await api.request("GET", exportIdsPath)).body).toEqual([]);
  });
});
