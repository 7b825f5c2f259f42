import { describe, expect, test } from "vitest";
import type { TestApi } from "./support/api.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { policiesPath, type Envelope } from "./support/existing-clients.ts";
import { sharedApi } from "./support/shared-api.ts";
import { resources, theOnly, type Resource } from "./support/terraform.ts";

const groupsPath = "/devices/entities/host-groups/v1";
const actionsPath = "/policy/entities/prevention-actions/v1";
const combinedPath = "/policy/combined/prevention/v1";
const usersPath = "/user-management/entities/users/v1";

/** The requests of the Terraform provider, resource by resource. */
withPostgresAtNight((engine) => {
  describe("requests of the Terraform provider", () => {
    const suite = sharedApi(engine, { catalogue: true, config: { compat: true } });

    const createGroup = (api: TestApi, input: object) =>
      resources(api, "POST", groupsPath, { body: { resources: [input] } }).then(theOnly);
    const updateGroup = (api: TestApi, input: object) =>
      resources(api, "PATCH", groupsPath, { body: { resources: [input] } }).then(theOnly);
    const readPolicy = (api: TestApi, ids: string) =>
      resources(api, "GET", policiesPath, { query: { ids } }).then(theOnly);
    const createPolicy = (api: TestApi, name: string, settings: readonly object[] = []) =>
      resources(api, "POST", policiesPath, {
        body: {
          resources: [{ name, description: "d", platform_name: "Windows", settings }],
        },
      }).then(theOnly);
    const act = (api: TestApi, action_name: string, id: unknown, parameter?: [string, string]) =>
      resources(api, "POST", actionsPath, {
        query: { action_name },
        body: {
          ids: [id],
          action_parameters:
            parameter === undefined ? null : [{ name: parameter[0], value: parameter[1] }],
        },
      });

    test("host groups of each type: create, assign hosts, read, rename, delete", async () => {
      const api = await suite.open();
      const dynamic = await createGroup(api, {
        name: "dynamic",
        group_type: "dynamic",
        description: "d",
        assignment_rule: "tags:'SensorGroupingTags/test'",
      });
      expect(dynamic).toMatchObject({ assignment_rule: "tags:'SensorGroupingTags/test'" });
      const rules = [
        ["static", "device_id:[''],hostname:['host1','host2']"],
        ["staticByID", `device_id:['${"a".repeat(32)}'],hostname:['']`],
      ] as const;
      for (const [group_type, assignment_rule] of rules) {
        const { id } = await createGroup(api, { name: group_type, group_type });
        const change = { id, name: `${group_type} 2`, description: "e", assignment_rule };
        const changed = await updateGroup(api, change);
        expect(changed).toMatchObject(change);
        const query = { ids: String(id) };
        expect(await resources(api, "GET", groupsPath, { query })).toMatchObject([change]);
        expect(await resources(api, "DELETE", groupsPath, { query })).toEqual([id]);
        expect((await api.request("GET", groupsPath, { query })).status).toBe(404);
      }
    });

    test("prevention policies: settings are read as they were written, and only disabled policies are deleted", async () => {
      const api = await suite.open();
      const settings = [
        { id: "UnknownExecutables", value: { enabled: true } },
        { id: "CloudAntiMalware", value: { detection: "MODERATE", prevention: "CAUTIOUS" } },
        { id: "ExtendedUserModeDataSlider", value: { detection: "CAUTIOUS" } },
      ];
      const stored = await createPolicy(api, "p", settings);
      const id = String(stored["id"]);
      const valueOf = (policy: Resource, setting: string) =>
        (
          policy["prevention_settings"] as readonly {
            readonly settings: readonly { readonly id: string; readonly value: unknown }[];
          }[]
        )
          .flatMap((category) => category.settings)
          .find((each) => each.id === setting)?.value;
      for (const setting of settings) {
        expect(valueOf(stored, setting.id)).toMatchObject(setting.value);
      }
      expect((await act(api, "enable", id))[0]).toMatchObject({ enabled: true });
      const changed = theOnly(
        await resources(api, "PATCH", policiesPath, {
          body: {
            resources: [
              {
                id,
                name: "q",
                settings: [{ id: "UnknownExecutables", value: { enabled: false } }],
              },
            ],
          },
        }),
      );
      expect(changed).toMatchObject({ name: "q", description: "d", enabled: true });
      expect(valueOf(changed, "UnknownExecutables")).toEqual({ enabled: false });
      expect(await readPolicy(api, id)).toEqual(changed);
      await act(api, "disable", id);
      await resources(api, "DELETE", policiesPath, { query: { ids: id } });
      expect((await api.request("GET", policiesPath, { query: { ids: id } })).status).toBe(404);
    });

    test("default policies: found by name.raw, and changed without a name", async () => {
      const api = await suite.open();
      for (const platform of ["Windows", "Mac", "Linux"]) {
        const query = {
          filter: `platform_name:'${platform}'+name.raw:'platform_default'`,
          sort: "precedence.desc",
        };
        const { id } = theOnly(await resources(api, "GET", combinedPath, { query }));
        const body = { resources: [{ id, description: "managed", settings: [] }] };
        expect(await resources(api, "PATCH", policiesPath, { body })).toMatchObject([
          { id, description: "managed", name: "platform_default" },
        ]);
      }
    });

    test("precedence: all but the last policy of a platform are in the requested order", async () => {
      const api = await suite.open();
      const ids: unknown[] = [];
      for (const name of ["a", "b", "c"]) {
        ids.push((await createPolicy(api, name))["id"]);
      }
      const order = async () => {
        const query = { filter: "platform_name:'Windows'", sort: "precedence.asc" };
        const policies = await resources(api, "GET", combinedPath, { query });
        return policies.slice(0, -1).map(({ id }) => id);
      };
      const newOrder = [...ids].toReversed();
      await resources(api, "POST", "/policy/entities/prevention-precedence/v1", {
        body: { ids: newOrder, platform_name: "Windows" },
      });
      expect(await order()).toEqual(newOrder);
    });

    test("attachments: a policy lists its host groups, and releases a group before it is deleted", async () => {
      const api = await suite.open();
      const { id: policy } = await createPolicy(api, "p");
      const { id } = await createGroup(api, { name: "g", group_type: "static" });
      const group = String(id);
      const added = await act(api, "add-host-group", policy, ["group_id", group]);
      expect(added).toMatchObject([{ groups: [{ id: group }] }]);
      expect(await readPolicy(api, String(policy))).toMatchObject({ groups: [{ id: group }] });
      const query = { ids: group };
      expect((await api.request("DELETE", groupsPath, { query })).status).toBe(409);
      const using = await resources(api, "GET", "/policy/queries/prevention/v1", {
        query: { filter: `groups:'${group}'` },
      });
      expect(using).toEqual([policy]);
      const removed = await act(api, "remove-host-group", policy, ["group_id", group]);
      expect(removed).toMatchObject([{ groups: [] }]);
      expect(await resources(api, "DELETE", groupsPath, { query })).toEqual([group]);
    });

    test("users and their roles: found by uid and tenant, and each change counts one write", async () => {
      const api = await suite.open();
      const uid = `terraform-${api.tenant.cid}@example.com`;
      const [ccid] = (await resources(
        api,
        "GET",
        "/sensors/queries/installers/ccid/v1",
      )) as unknown as readonly string[];
      const cid = String(ccid).split("-")[0]?.toLowerCase() ?? "";
      expect(cid).toBe(api.tenant.cid);
      const created = theOnly(
        await resources(api, "POST", usersPath, {
          body: { cid, first_name: "Ada", last_name: "L", uid },
        }),
      );
      const ids = await resources(api, "GET", "/user-management/queries/users/v1", {
        query: { filter: `uid:'${uid}'+cid:'${cid}'` },
      });
      expect(ids).toEqual([created["uuid"]]);
      const read = await resources(api, "POST", "/user-management/entities/users/GET/v1", {
        body: { ids },
      });
      expect(read).toMatchObject([{ uid, cid, first_name: "Ada", last_name: "L" }]);
      const user_uuid = String(created["uuid"]);
      const change = (action: string) =>
        api.request<{ readonly meta: object }>(
          "POST",
          "/user-management/entities/user-role-actions/v1",
          { body: { action, cid, role_ids: ["help_desk"], uuid: user_uuid } },
        );
      const roles = async () => {
        const query = { user_uuid, cid, limit: 500 };
        const path = "/user-management/combined/user-roles/v2";
        return (await resources(api, "GET", path, { query })).map(({ role_id }) => role_id);
      };
      const granted = await change("grant");
      expect(granted.body.meta, granted.text).toMatchObject({ writes: { resources_affected: 1 } });
      expect(await roles()).toEqual(["help_desk"]);
      const revoked = await change("revoke");
      expect(revoked.body.meta, revoked.text).toMatchObject({ writes: { resources_affected: 1 } });
      expect(await roles()).toEqual([]);
      await resources(api, "PATCH", usersPath, {
        query: { user_uuid },
        body: { first_name: "Grace", last_name: "H" },
      });
      await resources(api, "DELETE", usersPath, { query: { user_uuid } });
      const missing = await resources(api, "GET", "/user-management/queries/users/v1", {
        query: { filter: `uid:'${uid}'+cid:'${cid}'` },
      });
      expect(missing).toEqual([]);
    });

    test("exclusions: created with 200, which gofalcon expects, and lines are cleared by empty texts", async () => {
      const api = await suite.open();
      const path = "/exclusions/entities/ss-ioa-exclusions/v2";
      const { id: group } = await createGroup(api, { name: "e", group_type: "staticByID" });
      const exclusion = {
        name: "e",
        description: "d",
        pattern_id: "5702",
        pattern_name: "",
        cl_regex: ".*--test.*",
        ifn_regex: ".*test\\.exe",
        parent_cl_regex: ".*p.*",
        parent_ifn_regex: ".*p\\.exe",
        host_groups: [group],
        comment: "c",
        detection_json: "",
      };
      const answer = await api.request<Envelope>("POST", path, {
        body: { exclusions: [exclusion] },
      });
      expect(answer.status, answer.text).toBe(200);
      const stored = theOnly(answer.body.resources);
      expect(stored).toMatchObject({ cl_regex: ".*--test.*", applied_globally: false });
      const ids = String(stored["id"]);
      const [changed] = await resources(api, "PATCH", path, {
        body: {
          exclusions: [{ id: ids, description: "", parent_cl_regex: "", parent_ifn_regex: "" }],
        },
      });
      expect(changed).toMatchObject({ cl_regex: ".*--test.*", host_groups: [group] });
      for (const name of ["description", "parent_cl_regex", "parent_ifn_regex"]) {
        expect([name, changed?.[name] ?? ""]).toEqual([name, ""]);
      }
      expect(await resources(api, "GET", path, { query: { ids } })).toEqual([changed]);
      await resources(api, "DELETE", path, { query: { ids } });
      const missing = await api.request<Envelope>("GET", path, { query: { ids } });
      expect(missing.body.errors).toMatchObject([{ code: 404 }]);
    });
  });
});
