import { describe, expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import { once } from "./support/once.ts";
import { hours, minutes, seconds } from "./support/manual-clock.ts";
import { nobody, paths, usersSuite, type Grant, type Session } from "./support/users.ts";
import { type ErrorBody, ahead, messages } from "./support/session.ts";

const analyst = "falconhost_analyst";
const admin = "falconhost_admin";

const roles = (grants: readonly Grant[]) => grants.map(({ role_id }) => role_id);

withPostgresAtNight((engine) => {
  const suite = usersSuite(engine);

  const withUser = async (): Promise<{ api: Session; uuid: string }> => {
    const api = await suite.open();
    return { api, uuid: (await api.user("a")).uuid };
  };

  test("granted roles are held, sorted by name, and revoked ones are not", async () => {
    const { api, uuid } = await withUser();
    const answer = await api.change("grant", uuid, ["help_desk", analyst]);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ meta: { writes: { resources_affected: 2 } } });
    expect(await api.grants(uuid)).toEqual([
      {
        cid: api.tenant.cid,
        grant_type: "direct",
        role_id: analyst,
        role_name: "Falcon Analyst",
        user_type: "internal",
        uuid,
      },
      expect.objectContaining({ role_id: "help_desk" }),
    ]);
    const revoked = await api.change("revoke", uuid, [analyst, "event_viewer"]);
    expect(revoked.body).toMatchObject({ meta: { writes: { resources_affected: 1 } } });
    expect(roles(await api.grants(uuid))).toEqual(["help_desk"]);
    const trail = await api.store.directory.auditEntries({ cid: api.tenant.cid, limit: 2 });
    expect(trail.map(({ operation, ids }) => [operation, ids])).toEqual([
      ["userRolesActionV1", [uuid]],
      ["userRolesActionV1", [uuid]],
    ]);
  });

  test("one unknown role rejects the whole call, and every invalid id is reported", async () => {
    const { api, uuid } = await withUser();
    const { status, body } = await api.change("grant", uuid, [analyst, "no_role", "nor_this"]);
    expect(status).toBe(404);
    expect(body.errors.map(({ id }) => id)).toEqual(["no_role", "nor_this"]);
    const both = await api.change("grant", nobody, ["no_role", analyst]);
    expect(both.status).toBe(404);
    expect(both.body.errors.map(({ id }) => id)).toEqual([nobody, "no_role"]);
    expect((await api.change("revoke", uuid, ["no_role"])).status).toBe(404);
    expect(await api.grants(uuid)).toEqual([]);
  });

  test("a user of another tenant is not found", async () => {
    const [{ api }, other] = [await withUser(), await withUser()];
    for (const action of ["grant", "revoke"] as const) {
      const answer = await api.change(action, other.uuid, [analyst]);
      expect(answer.status).toBe(404);
      expect(answer.body.errors.map(({ id }) => id)).toEqual([other.uuid]);
    }
    expect(await other.api.grants(other.uuid)).toEqual([]);
  });

  test("cid: 403 for a tenant that is not below", async () => {
    const { api, uuid } = await withUser();
    const stranger = await suite.open();
    const answer = await api.change("grant", uuid, [analyst], { cid: stranger.tenant.cid });
    expect(answer.status).toBe(403);
    const query = { user_uuid: uuid, cid: stranger.tenant.cid };
    for (const path of [paths.grants1, paths.grants2, paths.grants3]) {
      expect((await api.request("GET", path, { query })).status).toBe(403);
    }
    expect((await api.change("grant", uuid, [analyst], { cid: "f".repeat(32) })).status).toBe(403);
  });

  test("expires_at: in the future, and with grant only", async () => {
    const { api, uuid } = await withUser();
    const past = await api.change("grant", uuid, [analyst], { expires_at: ahead(api, 0) });
    expect(past.status).toBe(400);
    expect(messages(past)).toEqual([
      expect.stringMatching(/^body\.expires_at: expected a time in the future/),
    ]);
    const late = { expires_at: ahead(api, hours(1)) };
    const revoke = await api.change("revoke", uuid, [analyst], late);
    expect(revoke.status).toBe(400);
    expect(messages(revoke)).toEqual([
      expect.stringMatching(/^body\.expires_at: is allowed only with grant/),
    ]);
    expect(await api.grants(uuid)).toEqual([]);
  });

  test("an expired grant disappears at its instant from every response and filter", async () => {
    const { api, uuid } = await withUser();
    const expires_at = ahead(api, minutes(10));
    await api.granted(uuid, [analyst], { expires_at });
    await api.granted(uuid, ["help_desk"], { expires_at: ahead(api, minutes(20)) });
    const { cid } = api.tenant;
    const seen = async () => ({
      grants: roles(await api.grants(uuid)),
      direct: roles(await api.grants(uuid, { direct_only: true })),
      legacy: (
        await api.request<{ resources: readonly string[] }>("GET", paths.legacyRoleIds, {
          query: { user_uuid: uuid },
        })
      ).body.resources,
      assigned: await api.found({ filter: `assigned_cids:'${cid}'` }),
      temporary: await api.found({ filter: "has_temporary_roles:true" }),
      temporarily: await api.found({ filter: `temporarily_assigned_cids:'${cid}'` }),
    });
    expect((await api.grants(uuid))[0]?.expires_at).toBe(expires_at);
    api.clock.advance(minutes(10) - 1);
    const both = [analyst, "help_desk"];
    const there = { assigned: ["a"], temporary: ["a"], temporarily: ["a"] };
    expect(await seen()).toEqual({ grants: both, direct: both, legacy: both, ...there });
    api.clock.advance(1);
    const one = ["help_desk"];
    expect(await seen()).toEqual({ grants: one, direct: one, legacy: one, ...there });
    api.clock.advance(minutes(10));
    const none = { assigned: [], temporary: [], temporarily: [] };
    expect(await seen()).toEqual({ grants: [], direct: [], legacy: [], ...none });
  });

  test("aggregates also follow the expiry", async () => {
    const { api, uuid } = await withUser();
    await api.granted(uuid, [analyst], { expires_at: ahead(api, minutes(1)) });
    const labels = async () => {
      const body = { type: "terms", field: "assigned_cids", name: "where" };
      const answer = await api.request<readonly { buckets: readonly { label: string }[] }[]>(
        "POST",
        "/user-management/aggregates/users/v1",
        { body },
      );
      expect(answer.status, answer.text).toBe(200);
      return answer.body[0]?.buckets.map(({ label }) => label);
    };
    expect(await labels()).toEqual([api.tenant.cid]);
    api.clock.advance(minutes(1));
    expect(await labels()).toEqual([]);
  });

  test("granting a held role replaces its expiry, in both directions", async () => {
    const { api, uuid } = await withUser();
    const affected = async (more?: object) => {
      const answer = await api.change<{ meta: { writes: { resources_affected: number } } }>(
        "grant",
        uuid,
        [analyst],
        more,
      );
      return answer.body.meta.writes.resources_affected;
    };
    const [soon, later] = [ahead(api, hours(1)), ahead(api, hours(2))];
    const expiry = async () => (await api.grants(uuid)).map(({ expires_at }) => expires_at);
    expect([await affected({ expires_at: soon }), await expiry()]).toEqual([1, [soon]]);
    expect([await affected({ expires_at: later }), await expiry()]).toEqual([1, [later]]);
    expect([await affected({ expires_at: later }), await expiry()]).toEqual([0, [later]]);
    expect([await affected(), await expiry()]).toEqual([1, [undefined]]);
    expect([await affected(), await expiry()]).toEqual([0, [undefined]]);
    api.clock.advance(hours(3));
    expect(roles(await api.grants(uuid))).toEqual([analyst]);
  });

  test("grants through groups apply in the children, and revoking removes direct ones only", async () => {
    const { api, uuid } = await withUser();
    const [one, two] = [await suite.open(api), await suite.open(api)];
    const group = await api.userGroup({ user_uuids: [uuid], role_ids: ["help_desk"] });
    const tenants = await api.tenantGroup({
      name: "Subsidiaries",
      cids: [one.tenant.cid],
      grants: [{ user_group_id: group.id, role_ids: [analyst] }],
    });
    await api.granted(uuid, [analyst], { cid: one.tenant.cid });
    expect(await api.grants(uuid)).toEqual([
      {
        cid: api.tenant.cid,
        grant_type: "user_group",
        role_id: "help_desk",
        role_name: expect.any(String),
        user_group_id: group.id,
        user_group_name: "Analysts",
        user_type: "internal",
        uuid,
      },
    ]);
    const inherited = {
      cid: one.tenant.cid,
      cid_group_id: tenants.id,
      cid_group_name: "Subsidiaries",
      grant_type: "cid_group",
      parent_cid: api.tenant.cid,
      role_id: analyst,
      role_name: "Falcon Analyst",
      user_group_id: group.id,
      user_group_name: "Analysts",
      user_type: "internal",
      uuid,
    };
    const inChild = await api.grants(uuid, { cid: one.tenant.cid });
    expect(inChild).toHaveLength(2);
    expect(inChild).toContainEqual(inherited);
    expect(await one.grants(uuid)).toEqual(inChild);
    expect(await one.grants(uuid, { direct_only: true })).toMatchObject([{ grant_type: "direct" }]);
    const answer = await one.change("revoke", uuid, [analyst]);
    expect(answer.body).toMatchObject({ meta: { writes: { resources_affected: 1 } } });
    expect(await one.grants(uuid)).toEqual([inherited]);
    expect(await one.found()).toEqual(["a"]);
    expect(await two.found()).toEqual([]);
    await api.tenantGroup({ ...tenants, cids: [two.tenant.cid] });
    expect([await one.found(), await two.found()]).toEqual([[], ["a"]]);
    await api.userGroup({ ...group, user_uuids: [] });
    expect([await two.found(), await api.grants(uuid)]).toEqual([[], []]);
  });

  test("a group of another tenant's users grants nothing in a tenant group", async () => {
    const { api, uuid } = await withUser();
    const child = await suite.open(api);
    const foreign = await child.userGroup({ user_uuids: [uuid], role_ids: [] });
    await api.tenantGroup({
      cids: [child.tenant.cid],
      grants: [{ user_group_id: foreign.id, role_ids: [analyst] }],
    });
    expect(await api.grants(uuid, { cid: child.tenant.cid })).toEqual([]);
    expect(await child.found()).toEqual([]);
  });

  describe("the combined list", () => {
    const byName = [analyst, "falconhost_read_only", "help_desk"];
    const filled = once(async () => {
      const { api, uuid } = await withUser();
      const expires_at = ahead(api, hours(1));
      await api.granted(uuid, [analyst, "help_desk"]);
      await api.granted(uuid, ["falconhost_read_only"], { expires_at });
      return { api, uuid };
    });

    test.each<[Record<string, string>, readonly string[]]>([
      [{}, byName],
      [{ sort: "role_name|desc" }, byName.toReversed()],
      [{ filter: `role_id:['help_desk','${analyst}']` }, [analyst, "help_desk"]],
      [{ filter: "role_name:*'FALCON*'" }, byName.slice(0, 2)],
      [{ filter: "expires_at:<'now+2h'" }, ["falconhost_read_only"]],
    ])("of %j", async (query, expected) => {
      const { api, uuid } = await filled();
      expect(roles(await api.grants(uuid, query))).toEqual(expected);
    });

    test.each(["expires_at|asc", "expires_at|desc"])("by %s ends without expiry", async (sort) => {
      const { api, uuid } = await filled();
      expect(roles(await api.grants(uuid, { sort }))[0]).toBe("falconhost_read_only");
    });

    test("has pages", async () => {
      const { api, uuid } = await filled();
      const page = await api.request<readonly Grant[]>("GET", paths.grants2, {
        query: { user_uuid: uuid, limit: 2, offset: 2 },
      });
      expect(roles(page.body)).toEqual(["help_desk"]);
      expect(page.headers.get("x-total-count")).toBe("3");
      expect(page.headers.get("x-pagination-offset")).toBe("2");
    });

    test.each<Record<string, string | number>>([
      { filter: "colour:1" },
      { sort: "role_id" },
      { limit: 501 },
    ])("refuses %j", async (query) => {
      const { api, uuid } = await filled();
      const bad = await api.request("GET", paths.grants2, { query: { user_uuid: uuid, ...query } });
      expect(bad.status).toBe(400);
    });
  });

  test("version 1 shows neither expiry nor type; an unknown user causes a 400", async () => {
    const { api, uuid } = await withUser();
    await api.granted(uuid, [analyst], { expires_at: ahead(api, hours(1)) });
    const answer = await api.request("GET", paths.grants1, { query: { user_uuid: uuid } });
    expect(answer.body).toEqual([
      {
        cid: api.tenant.cid,
        grant_type: "direct",
        role_id: analyst,
        role_name: "Falcon Analyst",
        uuid,
      },
    ]);
    const other = await withUser();
    for (const path of [paths.grants1, paths.grants2, paths.grants3, paths.legacyRoleIds]) {
      for (const user_uuid of [nobody, other.uuid]) {
        const bad = await api.request<ErrorBody>("GET", path, { query: { user_uuid } });
        expect(bad.status).toBe(400);
        expect(messages(bad)[0]).toMatch(/invalid user uuid/);
      }
    }
  });

  test("a tenant keeps its last administrator, and the last one without expiry", async () => {
    const { api, uuid } = await withUser();
    await api.granted(uuid, [admin]);
    const remove = (user: string) =>
      api.request<ErrorBody>("DELETE", paths.users, { query: { user_uuid: user } });
    const refused = async () => {
      const expires_at = ahead(api, hours(1));
      for (const answer of [
        await api.change("revoke", uuid, [admin, analyst]),
        await api.change("grant", uuid, [admin], { expires_at }),
        await remove(uuid),
      ]) {
        expect(answer.status).toBe(409);
        expect(answer.body.errors).toEqual([
          { code: 409, id: uuid, message: expect.stringMatching(/last active administrator/) },
        ]);
      }
      expect((await api.grants(uuid))[0]?.expires_at).toBeUndefined();
    };
    await refused();
    const inactive = (await api.create({ uid: api.uid("inactive") })).body[0]?.uuid ?? "";
    await api.granted(inactive, [admin]);
    await refused();
    const temporary = await api.user("temporary");
    await api.granted(temporary.uuid, [admin], { expires_at: ahead(api, minutes(30)) });
    await refused();
    await api.granted(temporary.uuid, [admin]);
    expect((await api.change("revoke", uuid, [admin])).status).toBe(200);
    expect((await remove(uuid)).status).toBe(200);
    expect((await remove(temporary.uuid)).status).toBe(409);
  });

  test("the last of the temporary administrators stays until the grant expires", async () => {
    const { api, uuid } = await withUser();
    await api.granted(uuid, [admin], { expires_at: ahead(api, seconds(10)) });
    expect((await api.change("revoke", uuid, [admin])).status).toBe(409);
    api.clock.advance(seconds(10));
    expect(await api.grants(uuid)).toEqual([]);
    const query = { user_uuid: uuid };
    expect((await api.request("DELETE", paths.users, { query })).status).toBe(200);
  });

  test("of two administrators who are revoked concurrently one stays", async () => {
    const { api, uuid } = await withUser();
    const second = await api.user("b");
    await api.granted(uuid, [admin]);
    await api.granted(second.uuid, [admin]);
    const answers = await Promise.all(
      [uuid, second.uuid].map((each) => api.change("revoke", each, [admin])),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});
