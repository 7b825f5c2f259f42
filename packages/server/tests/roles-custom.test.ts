import type { components } from "@security-platform/spec";
import { expect, test } from "vitest";
import { importRecords, type ImportKind } from "../src/imports/index.ts";
import { clientOf } from "./support/acting.ts";
import { forEachEngine } from "./support/engines.ts";
import { paths as ioc } from "./support/ioc.ts";
import { type ErrorBody, messages } from "./support/session.ts";
import { paths, usersSuite, type Session } from "./support/users.ts";

type Role = components["schemas"]["Role"];

const queries = "/user-management/queries/roles/v1";
const entities = "/user-management/entities/roles/GET/v2";

const watch = {
  display_name: "Night watch",
  description: "Sees indicators.",
  permissions: ["ioc-management:read"],
};

const load = (
  { store, clock, tenant }: Session,
  lines: readonly object[],
  kind: ImportKind = "roles",
) =>
  importRecords(store, {
    cid: tenant.cid,
    kind,
    clock,
    lines: lines.map((line) => JSON.stringify(line)),
    update: true,
  });

/** The custom roles that a tenant has. */
async function custom(api: Session): Promise<readonly Role[]> {
  const { body: ids } = await api.request<readonly string[]>("GET", queries);
  const answer = await api.request<readonly Role[]>("POST", entities, { body: { ids } });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.filter(({ type }) => type === "custom");
}

/** Imports a role and returns its id. */
async function created(api: Session, role: object = watch): Promise<string> {
  const { problems } = await load(api, [role]);
  expect(problems).toEqual([]);
  return (await custom(api))[0]?.id ?? "";
}

forEachEngine((engine) => {
  const suite = usersSuite(engine);

  test("a custom role exists in its tenant and in those below, and nowhere else", async () => {
    const parent = await suite.open();
    const child = await suite.open(parent);
    const beside = await suite.open(parent);
    const id = await created(child);
    expect(await custom(child)).toEqual([
      {
        id,
        display_name: "Night watch",
        description: "Sees indicators.",
        is_global: false,
        type: "custom",
        cid: child.tenant.cid,
      },
    ]);
    for (const other of [parent, beside]) {
      expect(await custom(other)).toEqual([]);
      expect((await other.request("POST", entities, { body: { ids: [id] } })).status).toBe(404);
      const user = await other.user("a");
      expect((await other.change("grant", user.uuid, [id])).status).toBe(404);
    }
    const wider = await created(parent, { ...watch, display_name: "Everywhere" });
    expect((await custom(child)).map((role) => role.id).toSorted()).toEqual([id, wider].toSorted());
    const legacy = await child.request<readonly object[]>("GET", paths.legacyRoles, {
      query: { ids: [wider] },
    });
    expect(legacy.body).toMatchObject([{ id: wider, cid: parent.tenant.cid }]);
  });

  test("it is granted directly and through groups, is shown by name, and allows its actions", async () => {
    const api = await suite.open();
    const id = await created(api);
    const [ann, bob] = [await api.user("ann"), await api.user("bob")];
    await api.granted(ann.uuid, [id]);
    const group = { name: "Nights", users: [bob.uid], role_ids: [id] };
    expect(await load(api, [group], "user-groups")).toMatchObject({ imported: 1, problems: [] });
    for (const user of [ann, bob]) {
      expect(await api.grants(user.uuid)).toMatchObject([
        { role_id: id, role_name: "Night watch" },
      ]);
      expect(await api.grants(user.uuid, { filter: "role_name:'night watch'" })).toHaveLength(1);
      const acting = await clientOf(api, user);
      expect((await acting.request("GET", ioc.search)).status).toBe(200);
      expect((await acting.request("GET", paths.query)).status).toBe(403);
    }
  });

  test("a change of a role applies to its holders at once", async () => {
    const api = await suite.open();
    const id = await created(api);
    const user = await api.user("a");
    await api.granted(user.uuid, [id]);
    const acting = await clientOf(api, user);
    const status = async () => (await acting.request("GET", ioc.search)).status;
    expect(await status()).toBe(200);
    expect(await load(api, [{ ...watch, permissions: ["cases:read"] }])).toMatchObject({
      updated: 1,
    });
    expect(await status()).toBe(403);
    await load(api, [watch]);
    expect(await status()).toBe(200);
  });

  test("nobody can grant permissions that they do not have", async () => {
    const api = await suite.open();
    const id = await created(api, {
      ...watch,
      permissions: ["ioc-management:read", "user-management:write", "grant_role", "reset_2fa"],
    });
    const user = await api.user("a");
    await api.granted(user.uuid, [id]);
    const acting = await clientOf(api, user);
    const grant = (role: string) =>
      acting.request<ErrorBody>("POST", paths.actions, {
        body: { action: "grant", cid: api.tenant.cid, uuid: user.uuid, role_ids: [role] },
      });
    for (const role of ["falconhost_admin", "xdr_admin"]) {
      const refused = await grant(role);
      expect(refused.status).toBe(403);
      expect(messages(refused)[0]).toMatch(`, which ${role} does`);
    }
    const legacy = await acting.request("POST", paths.legacyRoles, {
      query: { user_uuid: user.uuid },
      body: { role_ids: ["falconhost_admin"] },
    });
    expect(legacy.status).toBe(403);
    expect((await grant("intel_basic_analyst")).status).toBe(200);
    expect((await grant(id)).status).toBe(200);
    const allowed = await api.request<readonly { resource_ids: readonly string[] }[]>(
      "POST",
      "/user-management/entities/user-allowed-actions/v1",
      {
        body: {
          allowed_actions: [
            { action: "grant_role", uuid: user.uuid, resource_ids: ["xdr_admin", id, "boss"] },
          ],
        },
      },
    );
    expect(allowed.body.map(({ resource_ids }) => resource_ids)).toEqual([[id]]);
  });

  test("invalid roles are rejected with the reason", async () => {
    const api = await suite.open();
    const stranger = await suite.open();
    const id = await created(stranger);
    const { problems, rejected } = await load(api, [
      { ...watch, permissions: ["ioc-managment:read"] },
      { ...watch, permissions: ["reset_2fa"] },
      { ...watch, display_name: "falcon administrator" },
      { ...watch, id },
      { ...watch, permissions: [] },
    ]);
    expect(rejected).toBe(5);
    expect(problems.map(({ line, message }) => `${line} ${message}`)).toEqual([
      "1 permissions[0]: ioc-managment:read is neither a scope nor an action; did you mean ioc-management:read?",
      "2 permissions: reset_2fa also requires user-management:write",
      "3 display_name: falcon administrator is the name of a built-in role; choose another",
      `4 id: ${id} is in use; choose another, or omit it`,
      expect.stringMatching(/^5 permissions: /),
    ]);
    expect(await custom(api)).toEqual([]);
  });
});
