import { expect, test } from "vitest";
import { createClient } from "../src/access/clients.ts";
import { users } from "../src/access/users.ts";
import { platformCid } from "../src/store/types/types.ts";
import { clientOf } from "./support/acting.ts";
import { allScopes, startTestApi, type Answer } from "./support/api.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { paths as ioc } from "./support/ioc.ts";
import { minutes } from "./support/manual-clock.ts";
import { password, paths, usersSuite, type Session, type User } from "./support/users.ts";
import { type ErrorBody, messages } from "./support/session.ts";

const later = ({ clock }: Session, milliseconds: number): string =>
  new Date(clock.now().getTime() + milliseconds).toISOString();

withPostgresAtNight((engine) => {
  const suite = usersSuite(engine);

  test("a client that acts as a user needs both a scope and a role of the user", async () => {
    const api = await suite.open();
    const user = await api.user("a");
    const acting = await clientOf(api, user);
    const refused = await acting.request<ErrorBody>("GET", ioc.search);
    expect(refused.status).toBe(403);
    expect(messages(refused)).toEqual([
      `access denied, authorization failed: no role of ${user.uid} in tenant ${api.tenant.cid} allows ioc-management:read`,
    ]);
    expect(refused.headers.get("www-authenticate")).toContain('error="insufficient_scope"');
    await api.granted(user.uuid, ["falconhost_read_only"]);
    expect((await acting.request("GET", ioc.search)).status).toBe(200);
    const write = await acting.request<ErrorBody>("DELETE", ioc.indicators, {
      query: { ids: ["a".repeat(64)] },
    });
    expect(write.status).toBe(403);
    expect(messages(write)[0]).toContain("allows ioc-management:write");
    const narrow = await clientOf(api, user, ["cases:read"]);
    const lacking = await narrow.request<ErrorBody>("GET", ioc.search);
    expect(lacking.status).toBe(403);
    expect(messages(lacking)[0]).toContain("the token lacks ioc-management:read");
  });

  test("a client without a user is limited by its scopes only", async () => {
    const api = await suite.open();
    expect((await api.request("GET", ioc.search)).status).toBe(200);
  });

  test("it loses access as soon as the grant is revoked, and gets it back with the next grant", async () => {
    const api = await suite.open();
    const user = await api.user("a");
    const acting = await clientOf(api, user);
    const status = async () => (await acting.request("GET", ioc.search)).status;
    await api.granted(user.uuid, ["falconhost_read_only"]);
    expect(await status()).toBe(200);
    await api.change("revoke", user.uuid, ["falconhost_read_only"]);
    expect(await status()).toBe(403);
    await api.granted(user.uuid, ["intel_basic_analyst"]);
    expect(await status()).toBe(200);
  });

  test("it loses access as soon as the grant expires", async () => {
    const api = await suite.open();
    const user = await api.user("a");
    const acting = await clientOf(api, user);
    await api.granted(user.uuid, ["intel_basic_analyst"], { expires_at: later(api, minutes(10)) });
    const status = async () => (await acting.request("GET", ioc.search)).status;
    expect(await status()).toBe(200);
    api.clock.advance(minutes(10) - 1);
    expect(await status()).toBe(200);
    api.clock.advance(1);
    expect(await status()).toBe(403);
  });

  test("roles from groups count, until the group is deleted", async () => {
    const api = await suite.open();
    const user = await api.user("a");
    const acting = await clientOf(api, user);
    const status = async () => (await acting.request("GET", ioc.search)).status;
    const group = await api.userGroup({
      user_uuids: [user.uuid],
      role_ids: ["intel_basic_analyst"],
    });
    expect(await status()).toBe(200);
    // The same tenants as before, but the role has other permissions.
    await api.userGroup({ ...group, role_ids: ["event_viewer"] });
    expect(await status()).toBe(403);
    await api.userGroup({ ...group, role_ids: ["intel_admin"] });
    expect(await status()).toBe(200);
    await api.userGroup({ ...group, user_uuids: [] });
    expect(await status()).toBe(403);
  });

  test("a token for a child requires a role there, and allows no more than the role", async () => {
    const parent = await suite.open();
    const child = await suite.open(parent);
    const user = await parent.user("a");
    await parent.granted(user.uuid, ["falconhost_admin"]);
    const acting = await clientOf(parent, user);
    const refused = await acting.signIn(child.tenant.cid);
    expect(refused.status).toBe(403);
    expect(messages(refused as never)).toEqual([
      `access denied: ${user.uid} has no role in tenant ${child.tenant.cid}`,
    ]);
    const analysts = await parent.userGroup({ user_uuids: [user.uuid] });
    const group = await parent.tenantGroup({
      cids: [child.tenant.cid],
      grants: [{ user_group_id: analysts.id, role_ids: ["intel_basic_analyst"] }],
    });
    const token = await acting.token(child.tenant.cid);
    expect((await parent.request("GET", ioc.search, { token })).status).toBe(200);
    const query = await parent.request("GET", paths.query, { token });
    expect(query.status).toBe(403);
    await parent.tenantGroup({ ...group, cids: [] });
    expect((await parent.request("GET", ioc.search, { token })).status).toBe(403);
    expect((await acting.signIn(child.tenant.cid)).status).toBe(403);
  });

  test("a group of another tenant grants nothing", async () => {
    const parent = await suite.open();
    const child = await suite.open(parent);
    const other = await suite.open();
    const user = await parent.user("a");
    const foreign = await other.userGroup({ user_uuids: [user.uuid] });
    await parent.tenantGroup({
      cids: [child.tenant.cid],
      grants: [{ user_group_id: foreign.id, role_ids: ["falconhost_admin"] }],
    });
    const acting = await clientOf(parent, user);
    expect((await acting.signIn(child.tenant.cid)).status).toBe(403);
    expect((await acting.request("GET", ioc.search)).status).toBe(403);
  });

  test("tokens of a deleted user are rejected at once, including new ones", async () => {
    const api = await suite.open();
    const user = await api.user("a");
    await api.granted(user.uuid, ["falconhost_read_only"]);
    const acting = await clientOf(api, user);
    expect((await acting.request("GET", ioc.search)).status).toBe(200);
    const deletion = await api.request("DELETE", paths.users, { query: { user_uuid: user.uuid } });
    expect(deletion.status).toBe(200);
    const used = await acting.request<ErrorBody>("GET", ioc.search);
    expect(used.status).toBe(401);
    expect(messages(used)[0]).toContain("the client's user is inactive or deleted");
    expect((await acting.signIn()).status).toBe(401);
  });

  test("an inactive user gets no token", async () => {
    const api = await suite.open();
    const { body } = await api.create({ uid: api.uid("inactive") });
    const [user] = body;
    await api.granted(user?.uuid ?? "", ["falconhost_read_only"]);
    const acting = await clientOf(api, { uuid: user?.uuid ?? "" });
    const answer = await acting.signIn();
    expect(answer.status).toBe(401);
    expect(messages(answer as never)).toEqual([
      "access denied: the client's user is inactive or deleted",
    ]);
  });

  test("one scope covers all actions on users; the roles decide which of them are allowed", async () => {
    const api = await suite.open();
    const helper = await api.user("helper");
    const other = await api.user("other");
    await api.granted(helper.uuid, ["help_desk"]);
    const acting = await clientOf(api, helper);
    const reset = await acting.request("POST", "/user-management/entities/user-actions/v1", {
      body: { action: { action_name: "reset_2fa" }, ids: [other.uuid] },
    });
    expect(reset.status).toBe(200);
    const created = await acting.request<ErrorBody>("POST", paths.users, {
      body: { uid: api.uid("new") },
    });
    expect(created.status).toBe(403);
    expect(messages(created)[0]).toContain("allows create_user");
    const grant = await acting.request<ErrorBody>("POST", paths.actions, {
      body: {
        action: "grant",
        cid: api.tenant.cid,
        uuid: helper.uuid,
        role_ids: ["falconhost_admin"],
      },
    });
    expect(grant.status).toBe(403);
    expect(messages(grant)[0]).toContain("allows grant_role");
    expect(await api.grants(helper.uuid)).toHaveLength(1);
  });

  test("actions in a child require the role there", async () => {
    const parent = await suite.open();
    const child = await suite.open(parent);
    const admin = await parent.user("admin");
    const user = await parent.user("user");
    await parent.granted(admin.uuid, ["falconhost_admin"]);
    const acting = await clientOf(parent, admin);
    const grant = () =>
      acting.request<ErrorBody>("POST", paths.actions, {
        body: {
          action: "grant",
          cid: child.tenant.cid,
          uuid: user.uuid,
          role_ids: ["event_viewer"],
        },
      });
    const refused = await grant();
    expect(refused.status).toBe(403);
    expect(messages(refused)[0]).toContain(`in tenant ${child.tenant.cid} allows grant_role`);
    await parent.granted(admin.uuid, ["falconhost_admin"], { cid: child.tenant.cid });
    expect((await grant()).status).toBe(200);
  });

  test("reading about another tenant also requires a role there", async () => {
    const parent = await suite.open();
    const child = await suite.open(parent);
    const user = await parent.user("a");
    await parent.granted(user.uuid, ["security_lead"]);
    const acting = await clientOf(parent, user);
    const { cid } = child.tenant;
    const ids = ["help_desk"];
    const reads = [
      () => acting.request("GET", paths.grants1, { query: { user_uuid: user.uuid, cid } }),
      () => acting.request("GET", paths.grants2, { query: { user_uuid: user.uuid, cid } }),
      () => acting.request("GET", paths.grants3, { query: { user_uuid: user.uuid, cid } }),
      () => acting.request("GET", "/user-management/queries/roles/v1", { query: { cid } }),
      () => acting.request("GET", "/user-management/entities/roles/v1", { query: { cid, ids } }),
      () =>
        acting.request("POST", "/user-management/entities/roles/GET/v2", {
          query: { cid },
          body: { ids },
        }),
      () =>
        acting.request("POST", "/user-management/entities/user-allowed-actions/v1", {
          body: { allowed_actions: [{ action: "create_user", uuid: user.uuid, cid }] },
        }),
    ];
    for (const read of reads) {
      const refused = (await read()) as Answer<ErrorBody>;
      expect(refused.status, refused.text).toBe(403);
      expect(messages(refused)).toEqual([
        `access denied, authorization failed: no role of ${user.uid} in tenant ${cid} allows user-management:read`,
      ]);
    }
    await parent.granted(user.uuid, ["security_lead"], { cid });
    for (const read of reads) {
      expect((await read()).status).toBe(200);
    }
  });

  test("the audit trail names the user that a client acts as", async () => {
    const api = await suite.open();
    const [a, b] = [await api.user("a"), await api.user("b")];
    await api.granted(a.uuid, ["falconhost_admin"]);
    const acting = await clientOf(api, a);
    const renamed = await acting.request("PATCH", paths.users, {
      query: { user_uuid: b.uuid },
      body: { first_name: "Bea" },
    });
    expect(renamed.status, renamed.text).toBe(200);
    const trail = await api.store.directory.auditEntries({ cid: api.tenant.cid, limit: 2 });
    expect(trail).toMatchObject([
      { actor: a.uid, client_id: expect.stringMatching(/^[0-9a-f]{32}$/) },
      { actor: api.clientId, client_id: api.clientId },
    ]);
    expect(trail[0]?.client_id).not.toBe(api.clientId);
  });

  test("a grant revoked by another process is rejected here at once", async () => {
    const databaseUrl = await engine.url();
    const api = await startTestApi({ databaseUrl });
    const { store: elsewhere } = await startTestApi({ databaseUrl, clock: api.clock });
    const { body } = await api.request<readonly User[]>("POST", paths.users, {
      body: { uid: "a@two.example", password },
    });
    const uuid = body[0]?.uuid ?? "";
    const give = (...role_ids: readonly string[]) =>
      elsewhere.write(platformCid, async (transaction) => {
        const records = transaction.records(users);
        const user = (await records.getForUpdate([uuid])).get(uuid);
        if (user === undefined) throw new Error("the user is gone");
        const grants = role_ids.map((role_id) => ({
          cid: api.tenant.cid,
          role_id,
          granted_at: api.clock.now().toISOString(),
        }));
        await records.replace([{ ...user, grants }], api.clock.now());
      });
    await give("intel_basic_analyst");
    const acting = await createClient(api.store.directory, api.clock, {
      cid: api.tenant.cid,
      name: "acting",
      scopes: allScopes,
      user_uuid: uuid,
    });
    const token = await api.newToken(acting);
    const status = async () => (await api.request("GET", ioc.search, { token })).status;
    expect(await status()).toBe(200);
    await give("event_viewer");
    expect(await status()).toBe(403);
    await give("intel_admin");
    expect(await status()).toBe(200);
  });
});
