import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { BlobStore } from "../src/blobs/blob-store.ts";
import { ownBlobs } from "../src/blobs/open-blobs.ts";
import { forEachEngine } from "./support/engines.ts";
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
import { have } from "./support/identities.ts";
import { inventory, log4shell, sendInventory } from "./support/images.ts";
import { days, seconds } from "./support/manual-clock.ts";
import type { ErrorBody } from "./support/session.ts";
import { sharedApi } from "./support/shared-api.ts";
import type { TestApi } from "./support/api.ts";

const csvOf = (resource: "images.vulnerabilities", more: object = {}) =>
  ({ resource, format: "csv", ...more }) as const;

/** Makes the next writes of files fail. */
class BrokenBlobs {
  failures = 0;

  around(blobs: BlobStore): BlobStore {
    const put: BlobStore["put"] = async (content) => {
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

forEachEngine((engine) => {
  const broken = new BrokenBlobs();
  const suite = sharedApi(() => engine.url(), {
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
    test("is launched, runs, and ends with a file that is read whole or in part", async () => {
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
        { code: 404, id, message: `export job ${id} is not done but READY; ask again later` },
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

    test("of a tenant is found by no other", async () => {
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

    test("needs the scope to read images", async () => {
      const api = await withRows(1);
      const token = await api.newToken(api.client, { scope: "ioc-management:read" });
      const answer = await api.request("POST", exportsPath, {
        token,
        body: csvOf("images.vulnerabilities"),
      });
      expect(answer.status).toBe(403);
    });

    test("waits while another of its resource runs; others do not", async () => {
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

    test("that keeps failing fails, and the next one of its resource runs", async () => {
      const api = await withRows(10);
      const failing = await launch(api, csvOf("images.vulnerabilities"));
      const next = await launch(api, csvOf("images.vulnerabilities"));
      broken.failures = 5;
      for (let attempt = 0; attempt < 5; attempt += 1) {
        await api.work();
        api.clock.advance(seconds(90));
      }
      expect(await exportOf(api, failing)).toMatchObject({ status: "FAILED", retries: 4 });
      const answer = await download(api, failing);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain("has failed and has no file; launch it again");
      await api.work();
      expect(await statusOf(api, next)).toBe("DONE");
    });

    test("expires with its file, and is forgotten later", async () => {
      const api = await withRows(10);
      const id = await launch(api, csvOf("images.vulnerabilities"));
      await api.work();
      const { file } = await storedExport(api, id);
      const isStored = async () => (await api.store.referencedBlobs([file])).size > 0;
      expect(await isStored()).toBe(true);
      api.clock.advance(days(7));
      const later = { ...api, token: await api.newToken(api.client) };
      // Nothing needs to run for it.
      expect(
        await later.request("GET", exportsPath, { query: { ids: id }, token: later.token }),
      ).toMatchObject({ body: [{ status: "RESULT_DELETED" }] });
      const filter = "status:'RESULT_DELETED'";
      const found = await api.request("GET", exportIdsPath, {
        query: { filter },
        token: later.token,
      });
      expect(found.body).toEqual([id]);
      const gone = await download(later, id);
      expect(gone.status).toBe(404);
      expect(await gone.text()).toContain("had a file that has expired");
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

    test("reads what is stored when it starts", async () => {
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

  describe("the last exports", () => {
    test("are a hundred, newest first, by resource and status", async () => {
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

    test("that are open are limited to a hundred", async () => {
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

  test("a wrong request is refused at once, with every problem", async () => {
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

  describe("a file", () => {
    test("as CSV has a header, quotes, and no formulas", async () => {
      const api = await suite.open();
      const rows = [
        vulnerability(0, { package_name: 'say "x", twice', repository: "two\r\nlines" }),
        vulnerability(1, { package_name: "=cmd()", tag: "@x" }),
        vulnerability(2, { package_name: "Ümläut 🐛", package_version: "-1" }),
      ];
      await storeVulnerabilities(api.store, api.tenant.cid, rows, api.clock.now());
      const request = csvOf("images.vulnerabilities", { expand_vulnerabilities: true });
      const [header, ...lines] = readCsv(await exported(api, request));
      expect(header).toEqual([
        "cve_id",
        "severity",
        "cvss_score",
        "package_name",
        "package_version",
        "fixed_version",
        "published_at",
        "image_digest",
        "registry",
        "repository",
        "tag",
      ]);
      const cells = lines.map((line) =>
        Object.fromEntries(line.map((cell, at) => [header?.[at], cell])),
      );
      expect(cells).toMatchObject([
        {
          package_name: 'say "x", twice',
          repository: "two\r\nlines",
          cvss_score: "",
          fixed_version: "",
        },
        { package_name: "'=cmd()", tag: "'@x", fixed_version: "1.2.0" },
        { package_name: "Ümläut 🐛", package_version: "'-1" },
      ]);
    });

    test("as JSON has the records as they are stored", async () => {
      const api = await withRows(3_000);
      const request = { resource: "images.vulnerabilities", format: "json" } as const;
      const text = await exported(api, { ...request, expand_vulnerabilities: true });
      const { scan: _scan, ...first } = vulnerability(0);
      const rows = JSON.parse(text) as readonly object[];
      expect(rows).toHaveLength(3_000);
      expect(rows[0]).toEqual(first);
      expect(text.split("\n")).toHaveLength(3_003);
      expect(JSON.parse(await exported(await suite.open(), request))).toEqual([]);
    });

    test("holds what the filter selects, in the order of the sort", async () => {
      const api = await withRows(2_500);
      const request = csvOf("images.vulnerabilities", {
        expand_vulnerabilities: true,
        fql: "severity_number:>=70+repository:'shop/service-1'",
        sort: "severity_number.desc,cvss_score.asc,package_name.desc",
      });
      const lines = readCsv(await exported(api, request)).slice(1);
      const ranks = ["low", "medium", "high", "critical"];
      const expected = Array.from({ length: 2_500 }, (_, number) => vulnerability(number))
        .filter(
          ({ severity, repository }) =>
            ranks.indexOf(severity) > 1 && repository === "shop/service-1",
        )
        .toSorted(
          (a, b) =>
            ranks.indexOf(b.severity) - ranks.indexOf(a.severity) ||
            (a.cvss_score ?? 1_000) - (b.cvss_score ?? 1_000) ||
            (a.package_name < b.package_name ? 1 : a.package_name > b.package_name ? -1 : 0),
        );
      expect(lines.map((line) => [line[0], line[3], line[10]])).toEqual(
        expected.map(({ cve_id, package_name, tag }) => [cve_id, package_name, tag]),
      );
    });

    test("has a row for each vulnerability, unless rows are expanded", async () => {
      const api = await suite.open();
      const rows = [
        vulnerability(0, { cve_id: "CVE-2024-2", severity: "low", package_name: "a" }),
        vulnerability(1, { cve_id: "CVE-2024-2", severity: "low", package_name: "b" }),
        vulnerability(10, {
          cve_id: "CVE-2024-2",
          severity: "high",
          cvss_score: 7.5,
          package_name: "a",
          fixed_version: "2.0",
        }),
        vulnerability(11, { cve_id: "CVE-2024-1", severity: "medium", cvss_score: 5 }),
      ];
      await storeVulnerabilities(api.store, api.tenant.cid, rows, api.clock.now());
      const json = { resource: "images.vulnerabilities", format: "json" } as const;
      const groups = JSON.parse(
        await exported(api, { ...json, sort: "severity_number.desc" }),
      ) as readonly object[];
      expect(groups).toEqual([
        {
          cve_id: "CVE-2024-2",
          severity: "high",
          cvss_score: 7.5,
          published_at: "2024-05-01T00:00:00Z",
          package_names: ["a", "b"],
          fixed_versions: ["1.2.0", "2.0"],
          image_count: 2,
        },
        expect.objectContaining({ cve_id: "CVE-2024-1", image_count: 1 }),
      ]);
      const [header, ...lines] = readCsv(await exported(api, csvOf("images.vulnerabilities")));
      expect(header).toEqual(Object.keys(groups[0] ?? {}));
      expect(lines.map(([id]) => id)).toEqual(["CVE-2024-1", "CVE-2024-2"]);
      expect(lines[1]?.[4]).toBe("a;b");
    });

    test("of images has the newest scan of each, alone or expanded", async () => {
      const api = await suite.open();
      await have(api, "osv", [log4shell]);
      await sendInventory(api, inventory());
      api.clock.advance(seconds(1));
      const { body } = await sendInventory(api, inventory());
      const rowsOf = async (resource: string, more: object = {}) =>
        JSON.parse(
          await exported(api, { resource: resource as "images.packages", format: "json", ...more }),
        ) as readonly Record<string, unknown>[];
      const [image, ...others] = await rowsOf("images.images-assessment", {
        fql: "vulnerability_count:>0",
        sort: "scanned_at.desc",
      });
      expect(others).toEqual([]);
      expect(image).toMatchObject({ scan_uuid: body.resources.uuid, repository: "shop/checkout" });
      expect(image).not.toHaveProperty("report");
      const [expanded] = await rowsOf("images.images-assessment-expanded");
      expect(expanded).toMatchObject({
        ...image,
        vulnerabilities: expect.arrayContaining(["CVE-2021-44228"]) as string[],
        detections: ["generic-api-key"],
      });
      expect(expanded?.["packages"]).toContain("org.apache.logging.log4j:log4j-core 2.14.1");
      const findings = [
        "images.images-assessment-vulnerabilities-expanded",
        "images.images-assessment-detections-expanded",
        "images.images-detections",
        "images.packages",
      ];
      for (const resource of findings) {
        const rows = await rowsOf(resource);
        expect(rows, resource).not.toEqual([]);
        expect(rows[0], resource).toMatchObject({ repository: "shop/checkout", tag: "4.2.0" });
      }
    });

    test("of a resource without records is empty", async () => {
      const api = await suite.open();
      expect(await exported(api, { resource: "assets.pods", format: "csv" })).toBe("");
      expect(
        JSON.parse(await exported(api, { resource: "policies.exclusions", format: "json" })),
      ).toEqual([]);
    });
  });
});
