import { describe, expect, test } from "vitest";
import type { TestApi } from "./support/api.ts";
import { paths as casePaths, type Case } from "./support/cases.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { fromGo, indicatorsPath, policiesPath, type Envelope } from "./support/existing-clients.ts";
import { download, exportsPath, launch } from "./support/exports.ts";
import { have } from "./support/identities.ts";
import { inventory, reportsPath, sendInventory } from "./support/images.ts";
import { exclusion, paths as exclusionPaths } from "./support/ioa-exclusions.ts";
import { sharedApi } from "./support/shared-api.ts";

const groupsPath = "/devices/entities/host-groups/v1";
const dataPoliciesPath = "/data-protection/entities/policies/v2";
const tokenPath = "/oauth2/token";
const envelopeType = "application/vnd.security-platform.envelope+json";

type Records = Envelope["resources"];

const basicOf = ({ client }: TestApi): string =>
  `Basic ${Buffer.from(`${client.client_id}:${client.client_secret}`).toString("base64")}`;

/** A token request with these headers and this form. */
const requestToken = (api: TestApi, headers: Record<string, string>, more: object = {}) => {
  const { client_id, client_secret } = api.client;
  const body = new URLSearchParams({ client_id, client_secret, ...more });
  return api.request("POST", tokenPath, { token: null, headers, body });
};

async function created(api: TestApi, path: string, body: object, query = {}): Promise<Records> {
  const answer = await api.request<Records>("POST", path, { body, query });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

const newGroup = async (api: TestApi, name: string): Promise<string> => {
  const resources = [{ name, group_type: "static" }];
  return String((await created(api, groupsPath, { resources }))[0]?.["id"]);
};

withPostgresAtNight((engine) => {
  describe("every server, for records of existing clients", () => {
    const suite = sharedApi(engine, { catalogue: true });

    test("host groups alone take the place of all hosts of an indicator", async () => {
      const api = await suite.open();
      const group = await newGroup(api, "g");
      const indicator = {
        type: "domain",
        value: "groups.example",
        platforms: ["mac"],
        action: "no_action",
        applied_globally: true,
      };
      const [first] = await created(api, indicatorsPath, { indicators: [indicator] });
      const id = String(first?.["id"]);
      const changed = await api.request<Records>("PATCH", indicatorsPath, {
        body: { indicators: [{ id, host_groups: [group] }] },
      });
      expect(changed.body, changed.text).toMatchObject([
        { applied_globally: false, host_groups: [group], description: "" },
      ]);
      const back = await api.request<Records>("PATCH", indicatorsPath, {
        body: { bulk_update: { filter: `id:'${id}'`, applied_globally: true } },
      });
      expect(back.body, back.text).toMatchObject([{ applied_globally: true, host_groups: [] }]);
      const bulk = await api.request<Records>("PATCH", indicatorsPath, {
        body: { bulk_update: { filter: `id:'${id}'`, host_groups: [group] } },
      });
      expect(bulk.body).toMatchObject([{ applied_globally: false, host_groups: [group] }]);
    });

    test("only prevention policies and indicators keep a host group from being deleted", async () => {
      const api = await suite.open();
      const [gone, kept] = [await newGroup(api, "gone"), await newGroup(api, "kept")];
      const [policy] = await created(
        api,
        dataPoliciesPath,
        { resources: [{ name: "p", description: "" }] },
        { platform_name: "win" },
      );
      const read = async () =>
        (
          await api.request<Records>("GET", dataPoliciesPath, {
            query: { ids: String(policy?.["id"]) },
          })
        ).body[0];
      const assigned = await api.request("PATCH", dataPoliciesPath, {
        query: { platform_name: "win" },
        body: { resources: [{ id: policy?.["id"], host_groups: [kept, gone] }] },
      });
      expect(assigned.status, assigned.text).toBe(200);
      const [rule] = await created(api, exclusionPaths.exclusions, {
        exclusions: [exclusion("x", { host_groups: [gone, kept] })],
      });
      const deleted = await api.request("DELETE", groupsPath, { query: { ids: gone } });
      expect(deleted.body, deleted.text).toEqual([gone]);
      expect(await read()).toMatchObject({ host_groups: [kept] });
      const exclusions = await api.request("GET", exclusionPaths.exclusions, {
        query: { ids: String(rule?.["id"]) },
      });
      expect(exclusions.body).toMatchObject([{ host_groups: [kept], applied_globally: false }]);
      const changed = (await api.store.directory.auditEntries({ cid: api.tenant.cid, limit: 100 }))
        .filter(({ operation }) => operation === "deleteHostGroups")
        .flatMap(({ ids }) => ids);
      expect(changed.toSorted()).toEqual([gone, policy?.["id"], rule?.["id"]].toSorted());
      await created(api, indicatorsPath, {
        indicators: [
          {
            type: "domain",
            value: "blocks.example",
            platforms: ["mac"],
            action: "no_action",
            host_groups: [kept],
          },
        ],
      });
      const refused = await api.request("DELETE", groupsPath, { query: { ids: kept } });
      expect(refused.status).toBe(409);
      expect(await read()).toMatchObject({ host_groups: [kept] });
    });

    test("an exclusion whose last host group is deleted is deleted as well", async () => {
      const api = await suite.open();
      const [gone, more] = [await newGroup(api, "gone"), await newGroup(api, "more")];
      const exclusions = await created(api, exclusionPaths.exclusions, {
        exclusions: [
          exclusion("last", { host_groups: [gone] }),
          exclusion("both", { host_groups: [gone, more] }),
          exclusion("everywhere", { host_groups: ["all"] }),
        ],
      });
      const deleted = await api.request("DELETE", groupsPath, { query: { ids: [gone, more] } });
      expect(deleted.status, deleted.text).toBe(200);
      const ids = exclusions.map(({ id }) => String(id));
      const left = await api.request<{ resources: Records }>("GET", exclusionPaths.exclusions, {
        query: { ids },
        headers: { accept: envelopeType },
      });
      expect(left.body.resources).toMatchObject([{ id: ids[2], applied_globally: true }]);
      const trail = await api.store.directory.auditEntries({ cid: api.tenant.cid, limit: 5 });
      expect(trail.filter(({ operation }) => operation === "deleteHostGroups")).toContainEqual(
        expect.objectContaining({
          comment: "its last host group was deleted",
          ids: ids.slice(0, 2),
        }),
      );
    });

    test("a host group whose removal would make two exclusions the same is not deleted", async () => {
      const api = await suite.open();
      const [gone, kept] = [await newGroup(api, "gone"), await newGroup(api, "kept")];
      await created(api, exclusionPaths.exclusions, {
        exclusions: [
          exclusion("same", { host_groups: [gone, kept] }),
          exclusion("same", { host_groups: [kept] }),
        ],
      });
      const refused = await api.request("DELETE", groupsPath, { query: { ids: gone } });
      expect(refused.status).toBe(409);
      expect((await api.request("GET", groupsPath, { query: { ids: gone } })).status).toBe(200);
    });

    test("a report by GET /reports has no Envelope, those of version 2 have one", async () => {
      const api = await suite.open();
      const { body, text } = await sendInventory(api, inventory());
      const { uuid, image_digest } = body.resources;
      expect(uuid, text).toBeDefined();
      const read = async (
        path: string,
        query: Readonly<Record<string, string>>,
        accept: string,
      ) => {
        const answer = await api.request("GET", path, { query, headers: { accept } });
        expect(answer.status, `${path}: ${answer.text}`).toBe(200);
        expect(answer.headers.get("content-length")).toBe(String(Buffer.byteLength(answer.text)));
        return answer.body;
      };
      const digest = { digest: image_digest };
      const report = await read("/reports", digest, envelopeType);
      expect(report).toMatchObject({
        Vulnerabilities: expect.any(Array),
        Detections: expect.any(Array),
      });
      for (const [path, query] of [
        [`${reportsPath}/${uuid}`, {}],
        [reportsPath, digest],
      ] as const) {
        expect(await read(path, query, "application/json")).toEqual(report);
        expect(await read(path, query, envelopeType)).toEqual({
          meta: expect.objectContaining({ powered_by: "security-platform" }),
          resources: [report],
          errors: [],
        });
        for (const report_format of ["sarif", "cyclonedx-json"]) {
          const bare = await read(path, { ...query, report_format }, "application/json");
          expect(await read(path, { ...query, report_format }, envelopeType)).toMatchObject({
            resources: [bare],
          });
        }
      }
    });

    test("the file of an export is sent to a client that accepts JSON only", async () => {
      const api = await suite.open();
      const id = await launch(api, { resource: "images.vulnerabilities", format: "csv" });
      await api.work();
      const response = await download(api, id, { accept: "application/json" });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/octet-stream");
      expect(await response.text()).toContain("cve_id");
      expect((await download(api, id, { accept: "image/png" })).status).toBe(406);
    });

    test("a bearer token beside the credentials of a token request is ignored", async () => {
      const api = await suite.open();
      for (const authorization of [`Bearer ${api.token}`, "Bearer expired"]) {
        const granted = await requestToken(api, { authorization });
        expect(granted.status, granted.text).toBe(201);
      }
      const { client_id, client_secret } = api.client;
      const revoked = await api.request("POST", "/oauth2/revoke", {
        token: null,
        headers: { authorization: `Bearer ${api.token}` },
        body: new URLSearchParams({ client_id, client_secret, token: "unknown" }),
      });
      expect(revoked.status, revoked.text).toBe(200);
      const twice = await requestToken(api, { authorization: basicOf(api) });
      expect(twice.status).toBe(400);
      const noTenant = await requestToken(api, {}, { member_cid: "example" });
      expect(noTenant.status).toBe(400);
    });

    test("users of cases have an e-mail address, and files in evidence an MD5", async () => {
      const api = await suite.open();
      const id = "alert-1";
      await have(api, "alerts", [
        {
          id,
          timestamp: "2026-02-01T00:00:00Z",
          files: [{ filename: "a.exe", path: "C:\\a.exe" }],
        },
      ]);
      const answer = await api.request<readonly Case[]>("PUT", casePaths.cases, {
        body: { name: "c", severity: 40, evidence: { alerts: [{ id }] } },
      });
      const [{ created_by, last_updated_by, analysis_results } = {}] = answer.body;
      expect(analysis_results?.files.records, answer.text).toMatchObject([
        { filename: "a.exe", md5: "" },
      ]);
      expect([created_by, last_updated_by]).toMatchObject([{ email: "" }, { email: "" }]);
    });
  });

  describe("a server for existing clients, for records", () => {
    const suite = sharedApi(engine, { catalogue: true, config: { compat: true } });

    test("every response with a case has an assignee, empty if nobody works on it", async () => {
      const api = await suite.open();
      const send = async (
        method: "PUT" | "POST" | "PATCH" | "DELETE",
        path: string,
        more: object,
      ) => {
        const answer = await api.request<Envelope>(method, path, more);
        expect(answer.status, answer.text).toBeLessThan(300);
        expect(answer.body.resources).toMatchObject([
          { assigned_to: { uuid: "", full_name: "", email: "" }, created_by: { email: "" } },
        ]);
        return String(answer.body.resources[0]?.["id"]);
      };
      const id = await send("PUT", casePaths.cases, { body: { name: "c", severity: 10 } });
      await send("POST", casePaths.cases, { body: { ids: [id] } });
      await send("PATCH", casePaths.cases, { body: { id, fields: { name: "d" } } });
      await send("POST", "/cases/entities/case-tags/v1", { body: { id, tags: ["t"] } });
      await send("DELETE", "/cases/entities/case-tags/v1", { query: { id, tag: ["t"] } });
    });

    test("export jobs are read from Resources and from resources", async () => {
      const api = await suite.open();
      const launched = await api.request<{ readonly resources: readonly string[] }>(
        "POST",
        exportsPath,
        { body: { resource: "images.vulnerabilities", format: "csv" } },
      );
      const query = { ids: launched.body.resources };
      const { body } = await api.request<Envelope & { readonly Resources: unknown }>(
        "GET",
        exportsPath,
        { query },
      );
      expect(body.resources).toMatchObject([{ id: query.ids[0] }]);
      expect(body.Resources).toEqual(body.resources);
      const typed = await api.request("GET", exportsPath, {
        query,
        headers: { accept: envelopeType },
      });
      expect(typed.body).not.toHaveProperty("Resources");
    });

    test("export jobs are read by identifiers in one text with commas", async () => {
      const api = await suite.open();
      const launched = async (): Promise<string> => {
        const body = { resource: "images.vulnerabilities", format: "csv" };
        const answer = await api.request<{ readonly resources: readonly string[] }>(
          "POST",
          exportsPath,
          { body },
        );
        return answer.body.resources[0] ?? "";
      };
      const ids = [await launched(), await launched()];
      const read = (text: string) =>
        api.request<Envelope>("GET", exportsPath, { query: { ids: text } });
      const jobs = await read(ids.join(","));
      expect(jobs.body.resources, jobs.text).toMatchObject(ids.map((id) => ({ id })));
      const wrong = await read(`${ids[0]},no-id`);
      expect(wrong.status).toBe(400);
      expect(wrong.body.errors[0]?.message).toContain(
        "query.ids[1]: expected a UUID in lower case",
      );
    });

    test("Accept may have parameters or be empty, also for tokens", async () => {
      const api = await suite.open();
      for (const accept of [
        "application/json; charset=utf-8",
        "*/*;charset=utf-8",
        "",
        "*/*;q=0.1",
      ]) {
        expect((await requestToken(api, { accept })).status, accept).toBe(201);
        const listed = await api.request(
          "GET",
          indicatorsPath.replace("entities/indicators", "queries/indicators"),
          {
            headers: { accept },
          },
        );
        expect(listed.status, accept).toBe(200);
      }
      for (const accept of ["application/json;q=0", "*/*;q=0", "text/html; charset=utf-8"]) {
        expect((await requestToken(api, { accept })).status, accept).toBe(406);
      }
    });

    test("the same credentials are accepted twice, different ones are refused", async () => {
      const api = await suite.open();
      const authorization = basicOf(api);
      const twice = await requestToken(api, { authorization });
      expect(twice.status, twice.text).toBe(201);
      const different = await requestToken(api, { authorization }, { client_secret: "other" });
      expect(different.status).toBe(400);
      const others = await requestToken(api, { authorization }, { client_id: "f".repeat(32) });
      expect(others.status).toBe(400);
    });

    test("a member_cid that is no tenant's id causes a 403", async () => {
      const api = await suite.open();
      const answer = await requestToken(api, {}, { member_cid: "example" });
      expect(answer.status).toBe(403);
      const own = await requestToken(api, {}, { member_cid: api.tenant.cid.toUpperCase() });
      expect(own.status, own.text).toBe(201);
    });

    test("gofalcon moves an indicator from all hosts to groups, and reads its description", async () => {
      const api = await suite.open();
      const group = await api.request<Envelope>("POST", groupsPath, {
        body: { resources: [{ name: "g", group_type: "static" }] },
      });
      const stored = await api.request<Envelope>("POST", indicatorsPath, {
        body: { indicators: [fromGo("moves.example")] },
      });
      const moved = await api.request<Envelope>("PATCH", indicatorsPath, {
        body: {
          indicators: [
            {
              id: stored.body.resources[0]?.["id"],
              host_groups: [group.body.resources[0]?.["id"]],
            },
          ],
        },
      });
      expect(moved.body.resources, moved.text).toMatchObject([
        { applied_globally: false, description: "" },
      ]);
      const policies = await api.request("GET", policiesPath.replace("entities", "queries"));
      expect(policies.status).toBe(200);
    });
  });
});
