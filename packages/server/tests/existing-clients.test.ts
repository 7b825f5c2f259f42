import { describe, expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import {
  combinedPath,
  fromGo,
  indicatorsPath,
  policiesPath,
  type Envelope,
} from "./support/existing-clients.ts";
import { sharedApi } from "./support/shared-api.ts";

withPostgresAtNight((engine) => {
  describe("every server", () => {
    const suite = sharedApi(engine, { catalogue: true });

    test("an empty body of a DELETE or GET counts as absent, with any content type", async () => {
      const api = await suite.open();
      const headers = { "content-type": "application/json" };
      const read = await api.request("GET", combinedPath, { headers });
      expect(read.status).toBe(200);
      const removed = await api.request("DELETE", policiesPath, {
        headers,
        query: { ids: "0".repeat(32) },
      });
      expect(removed.status).toBe(404);
      const post = await api.request("POST", indicatorsPath, { headers, body: "" });
      expect(post.status).toBe(400);
    });

    test("null is rejected without --compat if the document does not allow it", async () => {
      const api = await suite.open();
      const answer = await api.request("POST", indicatorsPath, {
        body: { indicators: [fromGo("a.example")] },
      });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain("host_groups");
    });

    test("severity: required for every action with an effect, also on mobile platforms", async () => {
      const api = await suite.open();
      const hash = (value: string, more: object) => ({
        type: "sha256",
        value: value.repeat(64),
        platforms: ["windows"],
        severity: "",
        applied_globally: true,
        ...more,
      });
      const answer = await api.request<Envelope["resources"]>("POST", indicatorsPath, {
        body: {
          indicators: [
            hash("a", { action: "prevent_no_ui", severity: "low" }),
            hash("b", { action: "allow" }),
            {
              ...hash("c", {}),
              type: "domain",
              value: "m.example",
              platforms: ["ios"],
              mobile_action: "prevent_no_ui",
              severity: "low",
            },
          ],
        },
      });
      expect(answer.status, answer.text).toBe(201);
      expect(answer.body[2]).toMatchObject({ mobile_action: "prevent_no_ui" });
      for (const action of ["detect", "prevent", "prevent_no_ui"]) {
        const refused = await api.request("POST", indicatorsPath, {
          body: { indicators: [hash("d", { action })] },
        });
        expect(refused.status, action).toBe(400);
      }
    });

    test("filters on enumerations ignore case, none means no_action, and parents have a name", async () => {
      const api = await suite.open();
      const child = await suite.open("child", api.tenant);
      const created = await api.request<Envelope["resources"]>("POST", indicatorsPath, {
        body: {
          indicators: [
            {
              type: "domain",
              value: "n.example",
              platforms: ["mac"],
              action: "no_action",
              severity: "low",
              applied_globally: true,
            },
          ],
        },
      });
      expect(created.status, created.text).toBe(201);
      const idsBy = async (client: typeof api, filter: string) =>
        (
          await client.request<unknown[]>("GET", "/iocs/queries/indicators/v1", {
            query: { filter },
          })
        ).body;
      const id = created.body[0]?.["id"];
      for (const filter of [
        "severity:'LOW'",
        "severity:['High','Low']",
        "action:'none'",
        "platforms:'MAC'",
        "type:!'IPv4'",
        "mobile_action:'None'",
      ]) {
        expect([filter, await idsBy(api, filter)]).toEqual([filter, [id]]);
      }
      expect(await idsBy(child, `parent_cid_name:'${api.tenant.name}'`)).toEqual([id]);
      expect(await idsBy(child, "parent_cid_name:'other'")).toEqual([]);
      expect(await idsBy(child, "parent_cid_name:*")).toEqual([id]);
      expect(await idsBy(api, "parent_cid_name:*")).toEqual([]);
    });

    test("host groups are removed from an indicator that becomes global", async () => {
      const api = await suite.open();
      const resources = [{ name: "g", group_type: "static" }];
      const group = await api.request<Envelope["resources"]>(
        "POST",
        "/devices/entities/host-groups/v1",
        { body: { resources } },
      );
      const created = await api.request<Envelope["resources"]>("POST", indicatorsPath, {
        body: {
          indicators: [
            {
              type: "domain",
              value: "g.example",
              platforms: ["mac"],
              action: "no_action",
              host_groups: [group.body[0]?.["id"]],
            },
          ],
        },
      });
      const id = created.body[0]?.["id"];
      const changed = await api.request("PATCH", indicatorsPath, {
        body: { indicators: [{ id, applied_globally: true }] },
      });
      expect(changed.body, changed.text).toMatchObject([
        { applied_globally: true, host_groups: [] },
      ]);
    });

    test("offset 0 is the first page of devices and processes", async () => {
      const api = await suite.open();
      for (const path of ["devices", "processes"]) {
        const answer = await api.request("GET", `/iocs/queries/indicators/${path}/v1`, {
          query: {
            type: "domain",
            value: "x.example",
            offset: "0",
            ...(path === "processes" ? { device_id: "d".repeat(32) } : {}),
          },
        });
        expect([path, answer.status, answer.body]).toEqual([path, 200, []]);
      }
    });

    test("names of patterns: taken from the pattern, otherwise its id", async () => {
      const api = await suite.open();
      const exclusion = (pattern_id: string, more: object) => ({
        name: pattern_id,
        pattern_id,
        ifn_regex: ".*\\\\x\\.exe",
        cl_regex: ".*",
        ...more,
      });
      const first = await api.request("POST", "/policy/entities/ioa-exclusions/v1", {
        body: exclusion("5702", { pattern_name: null }),
      });
      expect(first.body, first.text).toMatchObject([
        { pattern_name: "Enumeration of installed software" },
      ]);
      const second = await api.request("POST", "/exclusions/entities/ss-ioa-exclusions/v2", {
        body: { exclusions: [exclusion("99", {})] },
      });
      expect(second.body, second.text).toMatchObject([{ pattern_name: "99" }]);
    });

    test("tenant ids: upper case and a check suffix are accepted", async () => {
      const api = await suite.open();
      const cid = `${api.tenant.cid.toUpperCase()}-A1`;
      const user = await api.request<Envelope["resources"]>(
        "POST",
        "/user-management/entities/users/v1",
        {
          body: { uid: `${api.tenant.cid}@example.com`, cid },
        },
      );
      expect(user.body, user.text).toMatchObject([{ cid: api.tenant.cid }]);
      const roles = await api.request("GET", "/user-management/combined/user-roles/v1", {
        query: { cid, user_uuid: String(user.body[0]?.["uuid"]) },
      });
      expect(roles.status, roles.text).toBe(200);
      const child = await suite.open("child", api.tenant);
      const token = await api.newToken(api.client, {
        member_cid: `${child.tenant.cid.toUpperCase()}-0F`,
      });
      const own = await api.request<Envelope["resources"]>(
        "GET",
        policiesPath.replace("entities", "combined"),
        { token },
      );
      expect(own.body[0]).toMatchObject({ cid: child.tenant.cid });
    });

    test("data protection: headers from the start, modified_at after a change, ids of justifications", async () => {
      const api = await suite.open();
      const path = "/data-protection/entities/policies/v2";
      const created = await api.request<Envelope["resources"]>("POST", path, {
        query: { platform_name: "win" },
        body: {
          resources: [
            {
              name: "p",
              description: "",
              precedence: 0,
              policy_properties: {
                euj_dropdown_options: {
                  justifications: [
                    {
                      id: "Business purposes",
                      justification: "Business purposes",
                      default: true,
                      selected: true,
                    },
                    {
                      id: "Personal use",
                      justification: "Personal use",
                      default: true,
                      selected: true,
                    },
                    { justification: "Because", default: false, selected: false },
                  ],
                },
              },
            },
          ],
        },
      });
      expect(created.body[0], created.text).not.toHaveProperty("modified_at");
      expect(created.body).toMatchObject([
        {
          policy_properties: {
            euj_header_text: {
              headers: [
                {
                  default: true,
                  selected: true,
                  header: "Your organization asks you to justify this action.",
                },
                { default: false, selected: false, header: "" },
              ],
            },
            euj_dropdown_options: {
              justifications: [{}, {}, { id: expect.stringMatching(/^[0-9a-f]{32}$/) }],
            },
          },
        },
      ]);
      const changed = await api.request("PATCH", path, {
        query: { platform_name: "win" },
        body: { resources: [{ id: created.body[0]?.["id"], description: "d" }] },
      });
      expect(changed.body, changed.text).toMatchObject([{ modified_at: expect.any(String) }]);
      const label = await api.request("POST", "/data-protection/entities/labels/v2", {
        body: {
          name: "l",
          display_name: "",
          external_id: "",
          plugins_configuration_id: "",
          label_provider: "microsoft",
          synced: false,
        },
      });
      expect(label.body, label.text).toMatchObject([{ display_name: "l" }]);
    });

    test.each([
      ["content-patterns", "v2", ["created", "last_updated"]],
      ["cloud-applications", "v2", ["created", "last_updated"]],
      ["enterprise-accounts", "v2", ["created", "last_updated"]],
      ["web-locations", "v2", ["created", "last_updated"]],
      ["local-applications", "v1", ["created", "last_updated"]],
      ["local-application-groups", "v1", ["created", "last_updated"]],
      ["labels", "v2", ["created", "last_updated"]],
      ["file-types", "v2", ["created", "last_updated"]],
    ] as const)(
      "%s can be filtered and sorted by created and last_updated",
      async (kind, version, fields) => {
        const api = await suite.open();
        for (const field of fields) {
          const all = await api.request<unknown[]>(
            "GET",
            `/data-protection/queries/${kind}/${version}`,
            {
              query: { filter: `${field}:>'2000-01-01T00:00:00Z'`, sort: `${field}.desc` },
            },
          );
          expect([field, all.status, all.text]).toEqual([field, 200, all.text]);
          const none = await api.request<unknown[]>(
            "GET",
            `/data-protection/queries/${kind}/${version}`,
            {
              query: { filter: `${field}:<'2000-01-01T00:00:00Z'` },
            },
          );
          expect(none.body).toEqual([]);
        }
      },
    );

    test("filters that clients document: groups, deleted, product, counts of groups, local_ip.raw", async () => {
      const api = await suite.open();
      const query = (path: string, filter: string, sort = "") =>
        api.request<unknown[]>("GET", path, {
          query: { filter, ...(sort === "" ? {} : { sort }) },
        });
      const locations = "/data-protection/queries/web-locations/v2";
      const answers = [
        await query("/policy/combined/prevention/v1", `groups:'${"a".repeat(32)}'`),
        await query("/policy/combined/prevention-members/v1", "local_ip.raw:*'10.*'"),
        await query("/data-protection/queries/local-applications/v1", "deleted:true", "deleted"),
        await query("/data-protection/queries/local-application-groups/v1", "deleted:true"),
        await query("/data-protection/queries/file-types/v2", "deleted:true", "product.asc"),
        await query(locations, `web_location_group_id:'${"a".repeat(32)}'`),
        await query(locations, "web_location_group_count:>1", "web_location_group_count.desc"),
        await query(locations, "supports_network_inspection:true+name:'nothing'"),
      ];
      expect(answers.map(({ status, body }) => [status, body])).toEqual(
        answers.map(() => [200, []]),
      );
      const pdf = await query("/data-protection/queries/file-types/v2", "product:'pdf'");
      expect(pdf.body).toHaveLength(1);
      const ungrouped = await query(locations, "web_location_group_count:>=0");
      expect(ungrouped.body.length).toBeGreaterThan(0);
    });

    test("tenant ids in filters: upper case and a check suffix are accepted", async () => {
      const api = await suite.open();
      const { cid } = api.tenant;
      const uid = `filter-${cid}@example.com`;
      await api.request("POST", "/user-management/entities/users/v1", { body: { uid } });
      const idsBy = async (filter: string) =>
        (
          await api.request<readonly string[]>("GET", "/user-management/queries/users/v1", {
            query: { filter: `uid:'${uid}'+${filter}` },
          })
        ).body;
      const written = `${cid.toUpperCase()}-A1`;
      expect(await idsBy(`cid:'${written}'`)).toHaveLength(1);
      expect(await idsBy(`cid:['${written}']`)).toHaveLength(1);
      expect(await idsBy(`cid:!'${written}'`)).toEqual([]);
    });

    test("deleted indicators that a search finds can be read by id", async () => {
      const api = await suite.open();
      const created = await api.request<Envelope["resources"]>("POST", indicatorsPath, {
        body: {
          indicators: [
            {
              type: "domain",
              value: "restore.example",
              platforms: ["mac"],
              action: "no_action",
              applied_globally: true,
            },
          ],
        },
      });
      const query = { ids: String(created.body[0]?.["id"]) };
      await api.request("DELETE", indicatorsPath, { query });
      const deleted = await api.request<readonly string[]>("GET", "/iocs/queries/indicators/v1", {
        query: { filter: "deleted:true" },
      });
      expect(deleted.body).toEqual([query.ids]);
      const read = await api.request("GET", indicatorsPath, { query: { ids: deleted.body } });
      expect(read.body, read.text).toMatchObject([{ value: "restore.example", deleted: true }]);
    });

    test("groups of local applications have deleted_at, which is null until they are deleted", async () => {
      const api = await suite.open();
      const path = "/data-protection/queries/local-application-groups/v1";
      const ids = await api.request<readonly string[]>("GET", path, { query: { limit: 1 } });
      const read = await api.request<Envelope["resources"]>(
        "GET",
        path.replace("queries", "entities"),
        { query: { ids: ids.body } },
      );
      expect(read.body[0], read.text).toHaveProperty("deleted_at", null);
    });
  });
});
