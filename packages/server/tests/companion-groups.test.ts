import { expect, test } from "vitest";
import { tenantGroups } from "../src/access/groups.ts";
import { platformRecords } from "../src/access/effective-grants.ts";
import { importRecords } from "../src/imports/index.ts";
import { clientOf } from "./support/acting.ts";
import { startTestApi } from "./support/api.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { type ErrorBody, messages } from "./support/session.ts";
import { usersSuite, type Session, type User } from "./support/users.ts";

const groupsPath = "/mssp/entities/user-groups/v1";
const membersPath = "/mssp/entities/user-group-members/v1";
const siteMembersPath = "/mssp/entities/cid-group-members/v1";

interface Ids {
  readonly user: string;
  readonly tenant: string;
}

/** A user group with a role, and a tenant group that grants it a role in a child tenant. */
async function groupsWithRoles(api: Session, role: string): Promise<Ids> {
  const ids = {
    user: api.tenant.cid.replace(/^./, "a"),
    tenant: api.tenant.cid.replace(/^./, "b"),
  };
  const imported = async (kind: "user-groups" | "tenant-groups", line: object) => {
    const { store, clock } = api;
    const lines = [JSON.stringify(line)];
    const outcome = await importRecords(store, { cid: api.tenant.cid, kind, lines, clock });
    expect(outcome.problems).toEqual([]);
  };
  await imported("user-groups", { id: ids.user, name: "Staff", users: [], role_ids: [role] });
  await imported("tenant-groups", {
    id: ids.tenant,
    name: "Sites",
    cids: [],
    grants: [{ user_group: ids.user, role_ids: [role] }],
  });
  return ids;
}

const addUsers = <Body = unknown>(
  api: Pick<Session, "request">,
  user_group_id: string,
  ...users: readonly Pick<User, "uuid">[]
) =>
  api.request<Body>("POST", membersPath, {
    body: { resources: [{ user_group_id, user_uuids: users.map(({ uuid }) => uuid) }] },
  });

const rolesOf = async (api: Session, { uuid }: User) =>
  (await api.grants(uuid)).map(({ role_id, grant_type }) => [role_id, grant_type]);

withPostgresAtNight((engine) => {
  const suite = usersSuite(engine);

  test("members of a user group have its roles at once, and lose them when they leave", async () => {
    const api = await suite.open();
    const ids = await groupsWithRoles(api, "help_desk");
    const user = await api.user("a");
    const added = await addUsers(api, ids.user, user);
    expect(added.body).toEqual([{ user_group_id: ids.user, user_uuids: [user.uuid] }]);
    expect(await rolesOf(api, user)).toEqual([["help_desk", "user_group"]]);
    const query = { user_uuid: user.uuid };
    const of = await api.request("GET", "/mssp/queries/user-group-members/v1", { query });
    expect(of.body).toEqual([ids.user]);
    await api.request("DELETE", membersPath, {
      body: { resources: [{ user_group_id: ids.user, user_uuids: [user.uuid] }] },
    });
    expect(await rolesOf(api, user)).toEqual([]);
  });

  test("members have the roles of a tenant group in its tenants, also after the tenants change", async () => {
    const api = await suite.open();
    const below = await suite.open(api);
    const stranger = await suite.open();
    const ids = await groupsWithRoles(api, "help_desk");
    const user = await api.user("a");
    await addUsers(api, ids.user, user);
    const change = <Body>(method: string, cid: string) =>
      api.request<Body>(method, siteMembersPath, {
        body: { resources: [{ cid_group_id: ids.tenant, cids: [cid] }] },
      });
    const seen = () => api.grants(user.uuid, { cid: below.tenant.cid });
    expect((await change("POST", below.tenant.cid)).status).toBe(200);
    expect(await seen()).toMatchObject([{ role_id: "help_desk", grant_type: "cid_group" }]);
    const refused = await change<ErrorBody>("POST", stranger.tenant.cid);
    expect(refused.status).toBe(400);
    expect(messages(refused)).toEqual([
      `body.resources[0].cids[0]: ${stranger.tenant.cid} is not below the tenant of the token`,
    ]);
    await change("DELETE", below.tenant.cid);
    const missing = await api.request<ErrorBody>("GET", "/user-management/combined/user-roles/v2", {
      query: { user_uuid: user.uuid, cid: below.tenant.cid },
    });
    expect(missing.status === 400 || JSON.stringify(missing.body) === "[]", missing.text).toBe(
      true,
    );
  });

  test("a deleted user group takes its roles away, and is removed from tenant groups", async () => {
    const api = await suite.open();
    const ids = await groupsWithRoles(api, "help_desk");
    const user = await api.user("a");
    await addUsers(api, ids.user, user);
    const deleted = await api.request("DELETE", groupsPath, {
      query: { user_group_ids: [ids.user] },
    });
    expect(deleted.body).toEqual([ids.user]);
    expect(await rolesOf(api, user)).toEqual([]);
    const records = platformRecords(api.store).records(tenantGroups);
    const left = await records.getComplete([ids.tenant], api.clock.now());
    expect(left.get(ids.tenant)).toMatchObject({ grants: [], user_group_ids: [] });
  });

  test("unknown users, existing names and groups of other tenants are rejected", async () => {
    const api = await suite.open();
    const other = await suite.open();
    const body = { resources: [{ name: "Analysts" }] };
    const { body: created } = await api.request<readonly { user_group_id: string }[]>(
      "POST",
      groupsPath,
      { body },
    );
    const id = created[0]?.user_group_id ?? "";
    const again = await api.request<ErrorBody>("POST", groupsPath, {
      body: { resources: [{ name: "New" }, { name: "ANALYSTS" }] },
    });
    expect(again.status).toBe(409);
    expect(messages(again)[0]).toContain(
      `body.resources[1].name: the user group ${id} already has`,
    );
    const { body: names } = await api.request("GET", "/mssp/queries/user-groups/v1");
    expect(names).toEqual([id]);
    const unknown = await addUsers<ErrorBody>(api, id, await other.user("b"));
    expect(unknown.status).toBe(400);
    expect(messages(unknown)[0]).toContain("body.resources[0].user_uuids[0]: the tenant has no");
    const foreign = await other.request<ErrorBody>("GET", groupsPath, {
      query: { user_group_ids: [id] },
    });
    expect(foreign.status).toBe(404);
    expect((await addUsers(other, id, await other.user("c"))).status).toBe(404);
  });

  test("a user cannot get roles by joining a group with roles that the user cannot grant", async () => {
    const api = await suite.open();
    const ids = await groupsWithRoles(api, "falconhost_admin");
    const user = await api.user("a");
    const acting = await clientOf(api, user);
    await api.give(user.uuid, { role_id: "falconhost_read_only" });
    const join = () => addUsers<ErrorBody>(acting, ids.user, user);
    expect((await join()).status).toBe(403);
    await api.give(user.uuid, { role_id: "falconhost_admin" });
    expect((await join()).status).toBe(200);
  });

  test("without the companion, its paths do not exist, and all others do", async () => {
    const api = await startTestApi({
      databaseUrl: await engine.url(),
      config: { companion: false },
    });
    expect((await api.request("GET", "/devices/queries/devices/v1")).status).toBe(404);
    expect((await api.request("GET", "/policy/queries/prevention/v1")).status).toBe(200);
  });
});
