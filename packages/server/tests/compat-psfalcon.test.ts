import { describe, expect, test } from "vitest";
import type { TestApi } from "./support/api.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { indicatorsPath, policiesPath, type Envelope } from "./support/existing-clients.ts";
import { registriesPath } from "./support/registries.ts";
import { sharedApi } from "./support/shared-api.ts";
import { resources, theOnly, type Resource } from "./support/terraform.ts";

const usersPath = "/user-management/entities/users/v1";
const rolesPath = "/user-management/entities/user-role-actions/v1";
const casesPath = "/cases/entities/cases/v2";
const exclusionsPath = "/policy/entities/ioa-exclusions/v1";

/** The sort orders that its commands offer, one direction of each. */
const sorts = [
  [
    "/iocs/queries/indicators/v1",
    ".asc",
    "action applied_globally metadata.av_hits metadata.company_name.raw created_by created_on expiration " +
      "expired metadata.filename.raw modified_by modified_on metadata.original_filename.raw " +
      "metadata.product_name.raw metadata.product_version severity_number source type value",
  ],
  [
    "/policy/queries/prevention/v1",
    ".desc",
    "created_by created_timestamp enabled modified_by modified_timestamp name platform_name precedence",
  ],
  ["/user-management/queries/users/v1", "|asc", "first_name last_name name uid"],
  [
    "/cases/queries/cases/v1",
    "|desc",
    "assigned_to_name assigned_to_userid assigned_to_uuid cid created_timestamp status updated_timestamp",
  ],
  [
    "/policy/queries/ioa-exclusions/v1",
    ".asc",
    "applied_globally created_by created_on last_modified modified_by name pattern_id pattern_name",
  ],
] as const;

const quiet = { catalogue: true, limits: { requestsPerMinute: 3 }, config: { compat: true } };

/** The requests of PSFalcon: one of each way in which its commands build them. */
withPostgresAtNight((engine) => {
  describe("requests of PSFalcon", () => {
    const suite = sharedApi(engine, { catalogue: true, config: { compat: true } });

    /** `-All`: by `after` if the last page has one, else from the number of records so far. */
    async function all(api: TestApi, path: string, query: string): Promise<readonly unknown[]> {
      const page = async (next: string) => {
        const { body, status, text } = await api.request<Envelope>("GET", path, {
          query: `${query}${next}`,
        });
        expect(status, text).toBe(200);
        return body;
      };
      let last = await page("");
      const seen: unknown[] = [...last.resources];
      for (let requests = 1; requests < 10; requests += 1) {
        const { total, after, offset } = last.meta.pagination ?? {};
        expect(total).toEqual(expect.any(Number));
        if (seen.length >= Number(total)) return seen;
        expect(after ?? offset).toBeDefined();
        last = await page(
          after === undefined ? `&offset=${seen.length}` : `&after=${String(after)}`,
        );
        seen.push(...last.resources);
      }
      throw new Error(`the pages of ${path} do not end`);
    }

    test("-All and -Total: every kind of paging ends at its total", async () => {
      const api = await suite.open();
      const indicators = [1, 2, 3, 4, 5].map((each) => ({
        action: "detect",
        applied_globally: true,
        platforms: ["windows"],
        severity: "high",
        type: "domain",
        value: `${each}.psfalcon.example`,
      }));
      await resources(api, "POST", indicatorsPath, { body: { indicators } });
      const policies = [1, 2].map((each) => ({ name: `p${each}`, platform_name: "Windows" }));
      await resources(api, "POST", policiesPath, { body: { resources: policies } });
      for (const each of [1, 2, 3]) {
        const body = { uid: `${each}-${api.tenant.cid}@example.com` };
        await resources(api, "POST", usersPath, { body });
      }
      const filter = "filter=type:'domain'%2Bvalue:*'*psfalcon*'";
      const lists = [
        ["/iocs/queries/indicators/v1", `${filter}&limit=2`, 5],
        ["/iocs/combined/indicator/v1", `${filter}&limit=2&sort=value.asc`, 5],
        ["/policy/queries/prevention/v1", "limit=2&filter=platform_name:'Windows'", 3],
        ["/policy/combined/prevention/v1", "limit=2&filter=platform_name:'Windows'", 3],
        ["/user-management/queries/users/v1", "limit=2&sort=uid|asc", 3],
        ["/iocs/queries/actions/v1", "limit=2", null],
      ] as const;
      for (const [path, query, count] of lists) {
        const listed = await all(api, path, query);
        expect([path, new Set(listed.map((each) => JSON.stringify(each))).size]).toEqual([
          path,
          count ?? listed.length,
        ]);
      }
    });

    test.each(sorts)(
      "%s accepts every sort order that the client offers",
      async (path, suffix, fields) => {
        const api = await suite.open();
        for (const field of fields.split(" ")) {
          const answer = await api.request("GET", path, { query: `sort=${field}${suffix}` });
          expect([field, answer.status, answer.text]).toEqual([field, 200, answer.text]);
        }
      },
    );

    test("values in the body, in entries, in the query and in objects of a parent", async () => {
      const api = await suite.open();
      const indicator = {
        action: "prevent",
        applied_globally: true,
        metadata: { filename: "evil.exe" },
        platforms: ["windows"],
        severity: "high",
        type: "sha256",
        value: "a".repeat(64),
      };
      const created = theOnly(
        await resources(api, "POST", indicatorsPath, {
          query: "ignore_warnings=True&retrodetects=False",
          body: { comment: "from a script", indicators: [indicator] },
        }),
      );
      expect(created).toMatchObject({ metadata: { filename: "evil.exe" } });
      const removed = await api.request<Envelope>("DELETE", indicatorsPath, {
        query: `comment=done&ids=${String(created["id"])}`,
      });
      expect(removed.status, removed.text).toBe(200);
      const uid = `someone-${api.tenant.cid}@example.com`;
      const user = theOnly(
        await resources(api, "POST", usersPath, {
          query: "validate_only=False",
          body: { uid, first_name: "A", last_name: "B", cid: `${api.tenant.cid.toUpperCase()}-1A` },
        }),
      );
      const uuid = String(user["uuid"]);
      const userIds = await resources(api, "GET", "/user-management/queries/users/v1", {
        query: `filter=uid:*'${uid}',uid:*'nobody@example.com'`,
      });
      expect(userIds).toEqual([uuid]);
      for (const action of ["grant", "revoke"]) {
        const answer = await api.request("POST", rolesPath, {
          body: { action, cid: api.tenant.cid, role_ids: ["help_desk"], uuid },
        });
        expect(answer.status, answer.text).toBe(200);
      }
      const reset = await api.request("POST", "/user-management/entities/user-actions/v1", {
        body: { ids: [uuid], action: { action_name: "reset_2fa" } },
      });
      expect(reset.status, reset.text).toBe(200);
      const { id } = theOnly(
        await resources(api, "POST", policiesPath, {
          body: { resources: [{ name: "p", platform_name: "Mac" }] },
        }),
      );
      const acted = await resources(api, "POST", "/policy/entities/prevention-actions/v1", {
        query: "action_name=enable",
        body: { ids: [id] },
      });
      expect(acted).toMatchObject([{ id, enabled: true }]);
    });

    test("cases: created with PUT, read with POST, tags are removed by the query", async () => {
      const api = await suite.open();
      const created = theOnly(
        await resources(api, "PUT", casesPath, {
          body: { name: "c", severity: 60, description: "d", status: "in_progress", tags: ["a"] },
        }),
      );
      const id = String(created["id"]);
      const tags = "/cases/entities/case-tags/v1";
      await resources(api, "POST", tags, { body: { id, tags: ["b", "c"] } });
      await resources(api, "DELETE", tags, { query: `id=${id}&tag=a&tag=b` });
      const read = await resources(api, "POST", casesPath, { body: { ids: [id] } });
      expect(read).toMatchObject([{ id, status: "in_progress", tags: ["c"] }]);
      const caseIds = await resources(api, "GET", "/cases/queries/cases/v1", {
        query: "q=c&limit=10&sort=status|asc",
      });
      expect(caseIds).toEqual([id]);
    });

    test("registries are paused and changed with only the members from the caller", async () => {
      const api = await suite.open();
      const details = { username: "scanner", password: "p" };
      const { id } = (await resources(api, "POST", registriesPath, {
        body: {
          credential: { details },
          type: "dockerhub",
          url: "https://registry-1.docker.io/",
          user_defined_alias: "hub",
        },
      })) as unknown as Resource;
      const query = `id=${String(id)}`;
      const changed = await resources(api, "PATCH", registriesPath, {
        query,
        body: { user_defined_alias: "renamed", credential: { details } },
      });
      expect(changed).toMatchObject({ id, user_defined_alias: "renamed" });
      const renamed = await resources(api, "PATCH", registriesPath, {
        query,
        body: { user_defined_alias: "again" },
      });
      expect(renamed).toMatchObject({ user_defined_alias: "again" });
    });

    test("exclusions: without groups for all hosts, and deleted with a comment", async () => {
      const api = await suite.open();
      const created = theOnly(
        await resources(api, "POST", exclusionsPath, {
          body: {
            cl_regex: ".*-a",
            comment: "Created from a detection.",
            ifn_regex: ".*\\\\x\\.exe",
            name: "e",
            pattern_id: "5702",
            pattern_name: "A pattern",
          },
        }),
      );
      expect(created).toMatchObject({ applied_globally: true });
      const id = String(created["id"]);
      const changed = await resources(api, "PATCH", exclusionsPath, {
        body: { id, groups: ["all"], name: "f" },
      });
      expect(changed).toMatchObject([{ name: "f", applied_globally: true }]);
      await resources(api, "DELETE", exclusionsPath, { query: `comment=gone&ids=${id}` });
    });

    test("errors are a list in addition to the found records, with a trace id", async () => {
      const api = await suite.open();
      const { id } = theOnly(
        await resources(api, "POST", policiesPath, {
          body: { resources: [{ name: "p", platform_name: "Linux" }] },
        }),
      );
      const missing = "0".repeat(32);
      const { body, headers } = await api.request<Envelope>("GET", policiesPath, {
        query: `ids=${String(id)}&ids=${missing}`,
      });
      expect(headers.get("content-type")).toContain("application/json");
      expect(body.resources).toMatchObject([{ id }]);
      expect(body.errors).toMatchObject([{ code: 404, message: expect.stringContaining(missing) }]);
    });
  });

  describe("limits of requests for PSFalcon", () => {
    const suite = sharedApi(engine, quiet);

    test("X-RateLimit-RetryAfter of a 429 is the time of the next attempt, in seconds since 1970", async () => {
      const api = await suite.open();
      const ask = () => api.request("GET", "/iocs/queries/platforms/v1");
      const first = await ask();
      expect(first.headers.get("x-ratelimit-limit")).toBe("3");
      await ask();
      await ask();
      const { status, headers, body } = await ask();
      expect(status).toBe(429);
      const retryAfter = Number(headers.get("x-ratelimit-retryafter"));
      const waits = retryAfter - api.clock.now().getTime() / 1_000;
      expect(waits).toBeGreaterThan(0);
      expect(waits).toBeLessThanOrEqual(60);
      expect(body).toMatchObject({ errors: [{ code: 429 }] });
    });
  });
});
