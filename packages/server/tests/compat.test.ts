import { describe, expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import {
  combinedPath,
  fromGo,
  indicatorsPath,
  policiesPath,
  type Envelope,
} from "./support/existing-clients.ts";
import { inventory, reportsPath, sendInventory } from "./support/images.ts";
import { sharedApi } from "./support/shared-api.ts";

const envelopeType = "application/vnd.security-platform.envelope+json";

withPostgresAtNight((engine) => {
  describe("a server for existing clients", () => {
    const suite = sharedApi(engine, { catalogue: true, config: { compat: true } });
    const create = async (...indicators: readonly object[]) => {
      const api = await suite.open();
      const created = await api.request<Envelope>("POST", indicatorsPath, {
        query: { retrodetects: false, ignore_warnings: false },
        body: { bulk_update: null, comment: null, indicators },
      });
      return { api, created };
    };
    const five = () => create(...[1, 2, 3, 4, 5].map((each) => fromGo(`${each}.example`)));

    test("media type: Envelopes are plain JSON, unless the request names the other type", async () => {
      const { api, created } = await create(fromGo("a.example"));
      expect(created.status, created.text).toBe(201);
      expect(created.headers.get("content-type")).toBe("application/json");
      expect(created.body.resources).toMatchObject([{ value: "a.example" }]);
      const named = await api.request("GET", combinedPath, { headers: { accept: envelopeType } });
      expect(named.headers.get("content-type")).toBe(envelopeType);
      const both = { accept: "application/json, application/octet-stream" };
      const plain = await api.request("GET", combinedPath, { headers: both });
      expect(plain.headers.get("content-type")).toBe("application/json");
    });

    test("offset and total: the first page has both, and offset is the position after the page", async () => {
      const { api } = await five();
      const page = (query: Record<string, string | number>) =>
        api.request<Envelope>("GET", combinedPath, {
          query: { limit: 2, sort: "value", ...query },
        });
      const first = await page({});
      expect(first.body.meta.pagination).toMatchObject({ limit: 2, offset: 2, total: 5 });
      expect(first.headers.get("x-pagination-offset")).toBe("0");
      const after = String(first.body.meta.pagination?.["after"]);
      const second = await page({ after });
      expect(second.body.meta.pagination).toMatchObject({ limit: 2, offset: 4, total: 5 });
      const last = await page({ offset: 4 });
      expect(last.body.meta.pagination).toEqual({ limit: 2, offset: 5, total: 5 });
      expect(last.body.resources).toMatchObject([{ value: "5.example" }]);
    });

    test("offset: reading prevention policies until offset reaches total ends", async () => {
      const api = await suite.open();
      const seen: unknown[] = [];
      let offset = 0;
      let total = Number.POSITIVE_INFINITY;
      for (let pages = 0; offset < total && pages < 10; pages += 1) {
        const { body } = await api.request<Envelope>("GET", "/policy/combined/prevention/v1", {
          query: { limit: 2, offset },
        });
        seen.push(...body.resources.map(({ id }) => id));
        offset = Number(body.meta.pagination?.["offset"]);
        total = Number(body.meta.pagination?.["total"]);
      }
      expect(seen.length).toBeGreaterThan(2);
      expect(new Set(seen).size).toBe(total);
      const others = await api.request<Envelope>("GET", "/data-protection/queries/file-types/v2", {
        query: { limit: 2, offset: 2 },
      });
      expect(others.body.meta.pagination).toMatchObject({ offset: 4 });
    });

    test("image reports: at the top level of GET /reports, in an Envelope of version 2", async () => {
      const api = await suite.open();
      const { body, text } = await sendInventory(api, inventory());
      const { uuid = "", image_digest } = body.resources;
      expect(uuid, text).not.toBe("");
      const legacy = await api.request<object>("GET", "/reports", {
        query: { digest: image_digest },
      });
      expect(legacy.body).toMatchObject({
        Vulnerabilities: expect.any(Array),
        Detections: expect.any(Array),
      });
      const byId = await api.request<Envelope>("GET", `${reportsPath}/${uuid}`);
      expect(byId.headers.get("content-type")).toBe("application/json");
      expect(byId.body).toMatchObject({ meta: {}, resources: [legacy.body], errors: [] });
      const byDigest = await api.request<Envelope>("GET", reportsPath, {
        query: { digest: image_digest },
      });
      expect(byDigest.body.resources).toEqual([legacy.body]);
    });

    test("GraphQL: data and errors are at the top level", async () => {
      const api = await suite.open();
      const ask = (query: string) =>
        api.request<Record<string, unknown>>("POST", "/identity-protection/combined/graphql/v1", {
          body: { query, variables: null },
        });
      const answer = await ask("{ countEntities }");
      expect(answer.body).toMatchObject({ data: { countEntities: 0 } });
      expect(answer.body).not.toHaveProperty("resources");
      const wrong = await ask("{ nope }");
      expect(wrong.body).toMatchObject({ errors: [{ message: expect.stringContaining("nope") }] });
      expect(wrong.body).not.toHaveProperty("resources");
    });

    test("proposed rules: at the top level, also without lines of the grandparent", async () => {
      const api = await suite.open();
      const answer = await api.request("POST", "/exclusions/entities/ss-ioa-new-rules/v2", {
        body: {
          aid: "a".repeat(32),
          image_file_name: "\\Device\\x.exe",
          command_line: "x.exe -a",
          parent_image_file_name: "\\Device\\y.exe",
          parent_command_line: "y.exe",
        },
      });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body).toMatchObject({ aid: "a".repeat(32), grandparent_command_line: "" });
    });

    test("data protection policies: missing ids are errors of a success", async () => {
      const api = await suite.open();
      const path = "/data-protection/entities/policies/v2";
      const missing = await api.request<Envelope>("GET", path, {
        query: { ids: "0".repeat(32) },
      });
      expect(missing.status).toBe(200);
      expect(missing.body).toMatchObject({ resources: [], errors: [{ code: 404 }] });
      const other = await api.request("GET", policiesPath, { query: { ids: "0".repeat(32) } });
      expect(other.status).toBe(404);
    });

    test("null: counts as absent if the document does not allow it, also in aggregates", async () => {
      const { api, created } = await create(fromGo("null.example"));
      expect(created.status, created.text).toBe(201);
      expect(created.body.resources[0]).toHaveProperty("source", "");
      const counted = await api.request<Envelope>("POST", "/iocs/aggregates/indicators/v1", {
        body: {
          date_ranges: null,
          exclude: null,
          extended_bounds: null,
          field: "type",
          filters_spec: null,
          from: null,
          interval: null,
          name: "by type",
          ranges: null,
          size: 5,
          sub_aggregates: null,
          type: "terms",
        },
      });
      expect(counted.status, counted.text).toBe(200);
      const user = await api.request<Envelope>("POST", "/user-management/entities/users/v1", {
        query: { validate_only: false },
        body: {
          cid: null,
          first_name: "A",
          last_name: null,
          password: null,
          uid: "go@example.com",
        },
      });
      expect(user.status, user.text).toBe(201);
    });

    test("null and empty lists next to bulk_update, and null next to indicators, count as absent", async () => {
      const { api, created } = await create(fromGo("bulk.example"));
      const id = String(created.body.resources[0]?.["id"]);
      const update = (body: object) => api.request<Envelope>("PATCH", indicatorsPath, { body });
      for (const indicators of [[], [{}], null, [{ id: null, tags: null }]]) {
        const answer = await update({
          indicators,
          bulk_update: { filter: `id:'${id}'`, tags: ["t"] },
        });
        expect(answer.status, answer.text).toBe(200);
      }
      const single = await update({ bulk_update: null, indicators: [{ id, severity: "LOW" }] });
      expect(single.body.resources, single.text).toMatchObject([{ severity: "low", tags: ["t"] }]);
      const neither = await update({ bulk_update: null, indicators: null });
      expect(neither.status).toBe(400);
    });

    test("enumerations: read ignoring case, stored as documented", async () => {
      const { api, created } = await create(
        fromGo("case.example", {
          severity: "LOW",
          platforms: ["Windows", "LINUX"],
          action: "Detect",
        }),
      );
      expect(created.body.resources, created.text).toMatchObject([
        { severity: "low", platforms: ["windows", "linux"], action: "detect" },
      ]);
      const policy = await api.request<Envelope>("POST", policiesPath, {
        body: {
          resources: [{ name: "p", platform_name: "windows", description: "", settings: null }],
        },
      });
      expect(policy.body.resources, policy.text).toMatchObject([{ platform_name: "Windows" }]);
      const pattern = await api.request<Envelope>(
        "POST",
        "/data-protection/entities/content-patterns/v1",
        {
          body: {
            name: "n",
            category: "pii",
            region: "ALL",
            regexes: ["x"],
            min_match_threshold: 1,
          },
        },
      );
      expect(pattern.body.resources, pattern.text).toMatchObject([{ category: "PII" }]);
      const wrong = await api.request("POST", policiesPath, {
        body: { resources: [{ name: "q", platform_name: "solaris" }] },
      });
      expect(wrong.status).toBe(400);
    });

    test("web locations: a body with one wrapper is read as its content", async () => {
      const api = await suite.open();
      const path = "/data-protection/entities/web-locations/v2";
      const location = { name: "w", location_type: "folder", type: "custom" };
      const created = await api.request<Envelope>("POST", path, {
        body: { web_locations: [location] },
      });
      const id = String(created.body.resources[0]?.["id"]);
      const changed = await api.request<Envelope>("PATCH", path, {
        query: { id },
        body: { web_locations: [{ ...location, name: "renamed", application_id: null }] },
      });
      expect(changed.body.resources, changed.text).toMatchObject([{ id, name: "renamed" }]);
    });
  });
});
