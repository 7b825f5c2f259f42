import { describe, expect, test } from "vitest";
import type { TestApi } from "./support/api.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { fromGo, indicatorsPath, storedKiosk } from "./support/existing-clients.ts";
import { registriesPath } from "./support/registries.ts";
import { sharedApi } from "./support/shared-api.ts";
import { readById, resources, theOnly, type Resource } from "./support/terraform.ts";

const exclusionsPath = "/policy/entities/ioa-exclusions/v1";
const groupsPath = "/devices/entities/host-groups/v1";

/** What Go writes for a time that is not set. */
const zeroTime = "0001-01-01T00:00:00.000Z";

/** Groups of tenants and of users, whose members are added and removed by requests of their own. */
const groupKinds = [
  {
    kind: "cid",
    paths: ["/mssp/entities/cid-groups/v1", "/mssp/entities/cid-groups/v2"],
    members: ["/mssp/entities/cid-group-members/v1", "/mssp/entities/cid-group-members/v2"],
    query: "/mssp/queries/cid-groups/v1",
    parameter: "ids",
    removed: "cid_group_ids",
    list: "cids",
  },
  {
    kind: "user",
    paths: ["/mssp/entities/user-groups/v1", "/mssp/entities/user-groups/v1"],
    members: ["/mssp/entities/user-group-members/v1", "/mssp/entities/user-group-members/v1"],
    query: "/mssp/queries/user-groups/v1",
    parameter: "user_group_ids",
    removed: "user_group_ids",
    list: "user_uuids",
  },
] as const;

/** The requests of the Terraform provider for its other resources and its data sources. */
withPostgresAtNight((engine) => {
  describe("more resources of the Terraform provider", () => {
    const suite = sharedApi(engine, { catalogue: true, config: { compat: true } });

    const hostGroup = (api: TestApi, name: string) =>
      resources(api, "POST", groupsPath, {
        body: { resources: [{ name, group_type: "static" }] },
      }).then(theOnly);
    const isGone = async (api: TestApi, path: string, query: Record<string, string>) => {
      expect((await api.request("GET", path, { query })).status).toBe(404);
    };

    test("container registries: `resources` is the object itself, and lists have one entry", async () => {
      const api = await suite.open();
      const details = { username: "scanner", password: "p" };
      const created = (await resources(api, "POST", registriesPath, {
        body: {
          credential: { details },
          type: "dockerhub",
          url: "https://registry-1.docker.io/",
          url_uniqueness_key: "team-a",
          user_defined_alias: "hub",
        },
      })) as unknown as Resource;
      expect(created).toMatchObject({ type: "dockerhub", user_defined_alias: "hub" });
      expect(created["refresh_interval"]).toEqual(expect.any(Number));
      const id = String(created["id"]);
      const changed = await resources(api, "PATCH", registriesPath, {
        query: { id },
        body: { credential: { type: "dockerhub", details }, user_defined_alias: "hub 2" },
      });
      expect(changed).toMatchObject({ id, user_defined_alias: "hub 2" });
      expect(await readById(api, registriesPath, id)).toMatchObject({
        user_defined_alias: "hub 2",
      });
      const listed = await resources(api, "GET", "/container-security/queries/registries/v1", {
        query: { limit: 100, offset: 0 },
      });
      expect(listed).toEqual([id]);
      await resources(api, "DELETE", registriesPath, { query: { ids: id } });
      await isGone(api, registriesPath, { ids: id });
    });

    test.each(groupKinds)(
      "groups of $kind: create, members, rename, remove members, delete",
      async ({ kind, paths: [path, readPath], members, query, parameter, removed, list }) => {
        const api = await suite.open();
        const below = await suite.open("below", api.tenant);
        const user = theOnly(
          await resources(api, "POST", "/user-management/entities/users/v1", {
            body: { uid: `member-${api.tenant.cid}@example.com` },
          }),
        );
        const member = kind === "cid" ? below.tenant.cid : String(user["uuid"]);
        const id = `${kind}_group_id`;
        const created = theOnly(
          await resources(api, "POST", path, {
            body: { resources: [{ description: "d", name: "g" }] },
          }),
        );
        expect(created).toMatchObject({ name: "g", description: "d", cid: api.tenant.cid });
        const ids = String(created[id]);
        const [membersPath, readMembers] = members;
        const change = { resources: [{ [id]: ids, [list]: [member] }] };
        const added = await resources(api, "POST", membersPath, { body: change });
        expect(added).toMatchObject([{ [list]: [member] }]);
        const read = () => resources(api, "GET", readMembers, { query: { [parameter]: ids } });
        expect(await read()).toMatchObject([{ [list]: [member] }]);
        const groupIds = await resources(api, "GET", query, { query: { name: "g" } });
        expect(groupIds).toEqual([ids]);
        const renamed = await resources(api, "PATCH", path, {
          body: { resources: [{ [id]: ids, name: "h", description: "e" }] },
        });
        expect(renamed).toMatchObject([{ name: "h", description: "e" }]);
        const group = await resources(api, "GET", readPath, { query: { [parameter]: ids } });
        expect(group).toMatchObject([{ [id]: ids, name: "h", description: "e" }]);
        const remaining = await resources(api, "DELETE", readMembers, { body: change });
        expect(remaining).toHaveLength(1);
        // A group without members is read as one with none, or as not found.
        const { body } = await api.request<{ readonly resources?: readonly Resource[] }>(
          "GET",
          readMembers,
          { query: { [parameter]: ids } },
        );
        expect((body.resources ?? []).flatMap((each) => each[list])).toEqual([]);
        await resources(api, "DELETE", path, { query: { [removed]: ids } });
        await isGone(api, readPath, { [parameter]: ids });
      },
    );

    test("indicators: a change contains an empty bulk_update and unset times", async () => {
      const api = await suite.open();
      const query = { ignore_warnings: true };
      const created = theOnly(
        await resources(api, "POST", indicatorsPath, {
          query,
          body: { indicators: [fromGo("t.example", { source: "feed" })] },
        }),
      );
      const id = String(created["id"]);
      const change = {
        id,
        action: "no_action",
        applied_globally: true,
        description: "changed",
        expiration: zeroTime,
        host_groups: null,
        platforms: ["windows", "mac"],
        severity: "critical",
        source: "",
        tags: null,
      };
      const empty = { expiration: zeroTime, host_groups: null, platforms: null, tags: null };
      const changed = await resources(api, "PATCH", indicatorsPath, {
        query,
        body: { bulk_update: empty, indicators: [change] },
      });
      const expected = { id, action: "no_action", severity: "critical", description: "changed" };
      expect(changed).toMatchObject([expected]);
      const read = await readById(api, indicatorsPath, id);
      expect(read).toMatchObject(expected);
      expect(read["expiration"] ?? null).toBeNull();
      const bulk = { ...empty, filter: `id:'${id}'`, tags: ["t"] };
      await resources(api, "PATCH", indicatorsPath, {
        query,
        body: { bulk_update: bulk, indicators: null },
      });
      expect(await readById(api, indicatorsPath, id)).toMatchObject({ tags: ["t"] });
      const indicators = await resources(api, "GET", "/iocs/combined/indicator/v1", {
        query: { filter: "type:'domain'+value:'t.example'", limit: 100 },
      });
      expect(indicators).toMatchObject([{ id }]);
      await resources(api, "DELETE", indicatorsPath, { query: { ids: id } });
      const again = await api.request("DELETE", indicatorsPath, { query: { ids: id } });
      expect(again.status).toBe(404);
    });

    test("exclusions (v1): for all hosts or for groups, with an empty detection", async () => {
      const api = await suite.open();
      const { id: group } = await hostGroup(api, "e");
      const exclusion = {
        name: "e",
        description: null,
        pattern_id: "5702",
        pattern_name: null,
        cl_regex: ".*--test.*",
        ifn_regex: ".*test\\.exe",
        groups: ["all"],
        comment: "c",
        detection_json: "",
      };
      const created = theOnly(await resources(api, "POST", exclusionsPath, { body: exclusion }));
      expect(created).toMatchObject({ applied_globally: true, pattern_name: expect.any(String) });
      expect(created).not.toHaveProperty("comment");
      const id = String(created["id"]);
      const inV2 = await readById(api, "/exclusions/entities/ss-ioa-exclusions/v2", id);
      expect(inV2).toMatchObject({ name: "e", applied_globally: true });
      const changed = theOnly(
        await resources(api, "PATCH", exclusionsPath, {
          body: { ...exclusion, id, description: "d", groups: [group] },
        }),
      );
      expect(changed).toMatchObject({
        description: "d",
        applied_globally: false,
        groups: [{ id: group }],
      });
      expect(await readById(api, exclusionsPath, id)).toEqual(changed);
      await resources(api, "DELETE", exclusionsPath, { query: { ids: id } });
      const missing = await api.request("GET", exclusionsPath, { query: { ids: id } });
      expect(missing.body).toMatchObject({ errors: [{ code: 404 }] });
    });

    test("host group data sources: found by the name in lower case, with the members", async () => {
      const api = await suite.open();
      const { id } = await hostGroup(api, "Kiosks Berlin");
      const device_id = await storedKiosk(api);
      await resources(api, "POST", "/devices/entities/host-group-actions/v1", {
        query: { action_name: "add-hosts" },
        body: {
          action_parameters: [{ name: "filter", value: `(device_id:['${device_id}'])` }],
          ids: [id],
        },
      });
      const groups = await resources(api, "GET", "/devices/combined/host-groups/v1", {
        query: { filter: "name:'kiosks berlin'" },
      });
      expect(groups).toMatchObject([{ id, name: "Kiosks Berlin" }]);
      const members = await resources(api, "GET", "/devices/combined/host-group-members/v1", {
        query: { id: String(id), limit: 5_000, offset: 0 },
      });
      expect(members).toMatchObject([{ device_id, hostname: "kiosk" }]);
    });

    test("prevention policy data source: pages of 5,000 until offset reaches total", async () => {
      const api = await suite.open();
      const answer = await api.request<{
        readonly meta: { readonly pagination: { readonly offset: number; readonly total: number } };
        readonly resources: readonly Resource[];
      }>("GET", "/policy/combined/prevention/v1", {
        query: { filter: "enabled:false", sort: "name.asc", limit: 5_000, offset: 0 },
      });
      expect(answer.status, answer.text).toBe(200);
      const { offset, total } = answer.body.meta.pagination;
      expect([offset, total]).toEqual([answer.body.resources.length, answer.body.resources.length]);
    });

    test("user and role data sources: all roles by id, and a user by uid", async () => {
      const api = await suite.open();
      const roles = (await resources(
        api,
        "GET",
        "/user-management/queries/roles/v1",
      )) as unknown as readonly string[];
      expect(roles).toContain("help_desk");
      const read = await resources(api, "GET", "/user-management/entities/roles/v1", {
        query: { ids: roles },
      });
      expect(read.map(({ id }) => id).toSorted()).toEqual([...roles].toSorted());
      const uid = `Data-Source-${api.tenant.cid}@example.com`;
      const user = theOnly(
        await resources(api, "POST", "/user-management/entities/users/v1", {
          query: { validate_only: false },
          body: { cid: api.tenant.cid.toUpperCase(), first_name: "A", last_name: "B", uid },
        }),
      );
      const ids = await resources(api, "GET", "/user-management/queries/users/v1", {
        query: { filter: `uid:'${uid}'` },
      });
      expect(ids).toEqual([user["uuid"]]);
    });
  });
});
