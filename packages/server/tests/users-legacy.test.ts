import { expect, test } from "vitest";
import type { Context } from "../src/calls/context.ts";
import {
  internalUserIds,
  internalUserUids,
} from "../src/domain/user-management/users/list-users.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { hours } from "./support/manual-clock.ts";
import { nobody, password, paths, usersSuite, type User } from "./support/users.ts";
import { type ErrorBody, ahead } from "./support/session.ts";

const analyst = "falconhost_analyst";

withPostgresAtNight((engine) => {
  const suite = usersSuite(engine);

  test("users are created, read, changed and deleted with camel-case names, on the same data", async () => {
    const api = await suite.open();
    const uid = api.uid("a");
    const created = await api.request<readonly User[]>("POST", paths.legacyUsers, {
      body: { uid, firstName: "Ann", lastName: "Lee", password },
    });
    expect(created.status).toBe(201);
    const uuid = created.body[0]?.uuid ?? "";
    const customer = api.tenant.cid;
    const names = { firstName: "Ann", lastName: "Lee" };
    expect(created.body).toEqual([{ customer, ...names, status: "active", uid, uuid }]);
    expect((await api.get(paths.get, uuid)).body).toMatchObject([
      { first_name: "Ann", last_name: "Lee", cid: customer },
    ]);
    const duplicate = { body: { uid: uid.toUpperCase() } };
    expect((await api.request("POST", paths.legacyUsers, duplicate)).status).toBe(409);
    const query = { user_uuid: uuid };
    const renamed = await api.request("PATCH", paths.legacyUsers, {
      query,
      body: { firstName: "Bea" },
    });
    expect(renamed.body).toMatchObject([{ firstName: "Bea", lastName: "Lee" }]);
    const read = await api.request("GET", paths.legacyUsers, { query: { ids: [uuid] } });
    expect(read.text).toBe(renamed.text);
    const unknown = { query: { ids: [nobody, uuid] } };
    const partly = await api.request<ErrorBody>("GET", paths.legacyUsers, unknown);
    expect(partly.status).toBe(404);
    expect(partly.body.resources).toEqual(renamed.body);
    expect((await api.request("DELETE", paths.legacyUsers, { query })).status).toBe(200);
    expect((await api.request("DELETE", paths.legacyUsers, { query })).status).toBe(404);
    expect((await api.get(paths.get, uuid)).status).toBe(404);
  });

  test("all ids and addresses of the tenant, without external users", async () => {
    const [api, other] = [await suite.open(), await suite.open()];
    const stored = [await api.user("b"), await api.user("a")];
    await api.give((await other.user("guest")).uuid, {});
    const uuids = await api.request("GET", paths.legacyUuids);
    expect(uuids.body).toEqual(stored.map(({ uuid }) => uuid).toReversed());
    const emails = await api.request("GET", paths.legacyEmails);
    expect(emails.body).toMatchObject({ resources: [api.uid("a"), api.uid("b")], errors: [] });
  });

  test("lists of the whole tenant take several batches, and are rejected rather than truncated", async () => {
    const api = await suite.open();
    for (const name of ["c", "a", "d", "b"]) await api.user(name);
    const caller = { clientId: api.clientId, cid: api.tenant.cid, scopes: [] };
    const call = { caller, context: { store: api.store } as Context, now: api.clock.now() };
    const uids = ["a", "b", "c", "d"].map((name) => api.uid(name));
    expect(await internalUserUids(call, { limit: 4, batch: 2 })).toEqual(uids);
    const ids = await internalUserIds(call, { limit: 4, batch: 3 });
    const users = await api.get<readonly User[]>(paths.get, ...ids);
    expect(users.body.map(({ uid }) => uid)).toEqual(uids);
    for (const list of [internalUserIds, internalUserUids]) {
      await expect(list(call, { limit: 3 })).rejects.toMatchObject({
        status: 400,
        entries: [
          {
            message:
              "the tenant has 4 users, more than the maximum of 3 without paging; use queryUserV1 with paging",
          },
        ],
      });
    }
  });

  test("ids by address, in the requested order, ignoring case", async () => {
    const [api, other] = [await suite.open(), await suite.open()];
    const [a, b] = [await api.user("a"), await api.user("b")];
    await other.user("c");
    const ask = (...uid: readonly string[]) =>
      api.request<ErrorBody>("GET", paths.legacyUuidsByUid, { query: { uid } });
    const answer = await ask(api.uid("B"), api.uid("a"), api.uid("b"));
    expect([answer.status, answer.body]).toEqual([200, [b.uuid, a.uuid]]);
    const partly = await ask(other.uid("c"), api.uid("a"));
    expect(partly.status).toBe(404);
    expect(partly.body).toMatchObject({
      errors: [{ code: 404, id: other.uid("c") }],
      resources: [a.uuid],
    });
  });

  test("roles are granted without expiry, listed once each, and revoked", async () => {
    const api = await suite.open();
    const { uuid } = await api.user("a");
    const query = { user_uuid: uuid };
    const grant = (body: object) => api.request("POST", paths.legacyRoles, { query, body });
    await api.granted(uuid, [analyst], { expires_at: ahead(api, hours(1)) });
    const granted = await grant({ roleIds: ["help_desk", analyst] });
    expect(granted.status).toBe(200);
    expect(granted.body).toMatchObject({
      meta: { writes: { resources_affected: 2 } },
      resources: { user_uuid: uuid, role_ids: ["help_desk", analyst] },
    });
    expect((await api.grants(uuid)).map(({ expires_at }) => expires_at)).toEqual([
      undefined,
      undefined,
    ]);
    await api.userGroup({ user_uuids: [uuid], role_ids: [analyst] });
    const held = () => api.request("GET", paths.legacyRoleIds, { query });
    expect((await held()).body).toMatchObject({ resources: [analyst, "help_desk"] });
    expect((await grant({ role_ids: ["no_role", "event_viewer"] })).status).toBe(404);
    const revoke = (...ids: readonly string[]) =>
      api.request("DELETE", paths.legacyRoles, { query: { ...query, ids } });
    expect((await revoke("no_role", analyst)).status).toBe(404);
    const revoked = await revoke("help_desk", "event_viewer", analyst);
    expect(revoked.body).toEqual(["help_desk", "event_viewer", analyst]);
    expect((await held()).body).toMatchObject({ resources: [analyst] });
  });
});
