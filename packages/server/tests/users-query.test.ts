import { describe, expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import { fillIn } from "./support/fill-in.ts";
import { once } from "./support/once.ts";
import { hours, minutes } from "./support/manual-clock.ts";
import { paths, usersSuite, type Grant, type User } from "./support/users.ts";
import { ahead, messages, type ErrorBody } from "./support/session.ts";

const analyst = "falconhost_analyst";

withPostgresAtNight((engine) => {
  const suite = usersSuite(engine);

  /**
   * A parent with two children: `high` works in all of them, `low` belongs to the first child,
   * `ext` is an external user there.
   */
  const family = async () => {
    const parent = await suite.open();
    const [one, two] = [await suite.open(parent), await suite.open(parent)];
    const stranger = await suite.open();
    const high = await parent.user("high", { first_name: "Ada", last_name: "Hall" });
    for (const { tenant } of [parent, one, two]) {
      await parent.granted(high.uuid, [analyst], { cid: tenant.cid });
    }
    const low = await one.user("low");
    const ext = await stranger.user("ext");
    await stranger.granted(ext.uuid, [analyst]);
    parent.clock.advance(minutes(1));
    const accepted = parent.clock.now().toISOString();
    await one.give(ext.uuid, {});
    return { parent, one, two, stranger, high, low, ext, accepted };
  };

  test("lists by uid by default, page by page", async () => {
    const api = await suite.open();
    for (const name of ["c", "a", "b"]) await api.user(name, { first_name: `N${name}` });
    expect(await api.found()).toEqual(["a", "b", "c"]);
    expect(await api.found({ sort: "first_name|desc" })).toEqual(["c", "b", "a"]);
    const page = await api.request("GET", paths.query, { query: { limit: 2, offset: 2 } });
    expect(page.body).toHaveLength(1);
    expect(page.headers.get("x-total-count")).toBe("3");
    for (const query of [{ sort: "uuid" }, { filter: "family:'x'" }, { filter: "grants:1" }]) {
      const answer = await api.request("GET", paths.query, { query });
      expect(answer.status, JSON.stringify(query)).toBe(400);
    }
  });

  describe("filters by members derived from names, tenant and grants", () => {
    const shared = once(family);

    test.each([
      ["name:'ada hall'", ["high"]],
      ["name:!*", []],
      ["cid:'{parent}'", ["high"]],
      ["cid_name:'{PARENT}'", ["high"]],
      ["uid:'{uid}'", ["high"]],
      ["uuid:'{uuid}'", ["high"]],
      ["assigned_cids:'{two}'", ["high"]],
      ["direct_assigned_cids:['{one}','x']", ["high"]],
      ["assigned_cids:*", ["high"]],
      ["assigned_cids:*'{start}*'", ["high"]],
      ["has_temporary_roles:true", []],
      ["temporarily_assigned_cids:*", []],
      ["status:'active'+user_type:'internal'", ["high"]],
      ["user_type:!'internal'", []],
    ])("%s", async (text, names) => {
      const { parent, one, two, high } = await shared();
      const filter = fillIn(text, {
        parent: parent.tenant.cid,
        PARENT: parent.tenant.name.toUpperCase(),
        one: one.tenant.cid,
        two: two.tenant.cid,
        start: one.tenant.cid.slice(0, 20),
        uid: parent.uid("HIGH"),
        uuid: high.uuid,
      });
      expect(await parent.found({ filter })).toEqual(names);
    });
  });

  test("a tenant can filter by itself and the tenants above and below it, not by others", async () => {
    const { one, two, parent, stranger } = await family();
    const namesBy = (filter: string) => one.found({ filter }, paths.queryAll);
    expect(await namesBy("uid:*")).toEqual(["ext", "high", "low"].toSorted());
    for (const field of ["assigned_cids", "associated_cids", "direct_assigned_cids"]) {
      expect(await namesBy(`${field}:'${two.tenant.cid}'`)).toEqual([]);
      expect(await namesBy(`${field}:'${parent.tenant.cid}'`)).toEqual(["high"]);
    }
    expect(await namesBy(`assigned_cids:'${stranger.tenant.cid}'`)).toEqual([]);
    expect(await namesBy(`associated_cids:'${stranger.tenant.cid}'`)).toEqual(["ext"]);
    expect(await namesBy(`assigned_cids:!'${parent.tenant.cid}'`)).toEqual(["ext", "low"]);
  });

  test("only version 2 filters by associated_cids", async () => {
    const { one } = await family();
    const query = { filter: `associated_cids:'${one.tenant.cid}'` };
    const refused = await one.request<ErrorBody>("GET", paths.query, { query });
    expect(refused.status).toBe(400);
    expect(messages(refused)[0]).toContain("unknown field 'associated_cids'");
    const answer = await one.request("GET", paths.queryAll, { query });
    expect(answer.status, answer.text).toBe(200);
  });

  test("non_ancestor_assigned_cids leaves out the tenants above the caller's", async () => {
    const { parent, one } = await family();
    const field = "non_ancestor_assigned_cids";
    const { cid } = parent.tenant;
    expect(await parent.found({ filter: `${field}:'${cid}'` })).toEqual(["high"]);
    expect(await one.found({ filter: `${field}:'${cid}'` })).toEqual([]);
    expect(await one.found({ filter: `${field}:'${one.tenant.cid}'` })).toEqual(["high"]);
    expect(await one.found({ filter: `${field}:*` })).toEqual(["high"]);
    expect(await one.found({ filter: `${field}:!*` })).toEqual(["low"]);
  });

  test("external users: version 2 shows them as external after acceptance", async () => {
    const { one, stranger, ext, accepted } = await family();
    expect(await one.found()).toEqual(["high", "low"]);
    expect(await one.found({}, paths.queryAll)).toEqual(["ext", "high", "low"]);
    expect(await one.found({ user_type: "external" }, paths.queryAll)).toEqual(["ext"]);
    expect(await one.found({ user_type: "internal" }, paths.queryAll)).toEqual(["high", "low"]);
    expect(await one.found({ filter: "user_type:'external'" }, paths.queryAll)).toEqual(["ext"]);
    expect(await one.found({ filter: "user_type:!'external'" }, paths.queryAll)).toEqual([
      "high",
      "low",
    ]);
    expect((await one.get(paths.get, ext.uuid)).status).toBe(404);
    const [seen] = (await one.get(paths.getAll, ext.uuid)).body;
    expect(seen).toEqual({ ...ext, user_type: "external", access_granted_at: accepted });
    expect((await stranger.get(paths.getAll, ext.uuid)).body).toEqual([ext]);
    const query = { user_uuid: ext.uuid };
    const grants = await one.request<readonly Grant[]>("GET", paths.grants3, { query });
    expect(grants.body).toMatchObject([{ user_type: "external", cid: one.tenant.cid }]);
    for (const path of [paths.grants1, paths.grants2]) {
      expect((await one.request("GET", path, { query })).status).toBe(400);
    }
    expect((await one.change("grant", ext.uuid, [analyst])).status).toBe(404);
    const patched = await one.request("PATCH", paths.users, { query, body: { last_name: "x" } });
    expect(patched.status).toBe(404);
    expect((await one.request("DELETE", paths.users, { query })).status).toBe(404);
  });

  test("an external user is no longer known after the last grant ends", async () => {
    const { one, stranger } = await family();
    const guest = await stranger.user("guest");
    await one.give(guest.uuid, { expires_at: ahead(one, minutes(5)) });
    expect(await one.found({ user_type: "external" }, paths.queryAll)).toEqual(["ext", "guest"]);
    one.clock.advance(minutes(5));
    expect((await one.get(paths.getAll, guest.uuid)).status).toBe(404);
    expect(await one.found({ user_type: "external" }, paths.queryAll)).toEqual(["ext"]);
    expect((await stranger.get(paths.getAll, guest.uuid)).status).toBe(200);
  });

  test("sorts by the first of temporarily_assigned_cids, users without one last", async () => {
    const parent = await suite.open();
    const children = [await suite.open(parent), await suite.open(parent)];
    const cids = children.map(({ tenant }) => tenant.cid).toSorted();
    const expires_at = ahead(parent, hours(1));
    const names = ["none", "first", "second"];
    const users = new Map<string, User>();
    for (const name of names) users.set(name, await parent.user(name));
    const temporarily = (name: string, cid: string | undefined) =>
      parent.granted(users.get(name)?.uuid ?? "", [analyst], { cid, expires_at });
    await temporarily("second", cids[1]);
    await temporarily("first", cids[1]);
    await temporarily("first", cids[0]);
    const sorted = (direction: string) =>
      parent.found({ sort: `temporarily_assigned_cids|${direction}` });
    expect(await sorted("asc")).toEqual(["first", "second", "none"]);
    expect(await sorted("desc")).toEqual(["second", "first", "none"]);
    expect(await parent.found({ sort: "has_temporary_roles|desc,uid|desc" })).toEqual([
      "second",
      "first",
      "none",
    ]);
  });

  test("aggregates count only users known to the tenant", async () => {
    const { one, parent } = await family();
    const counts = async (field: string, version: string) => {
      const answer = await one.request<
        readonly { buckets: readonly { label: string; count: number }[] }[]
      >("POST", `/user-management/aggregates/users/${version}`, {
        body: { type: "terms", field, name: "x" },
      });
      expect(answer.status, answer.text).toBe(200);
      return Object.fromEntries(
        answer.body[0]?.buckets.map(({ label, count }) => [label, count]) ?? [],
      );
    };
    expect(await counts("user_type", "v1")).toEqual({ internal: 2 });
    expect(await counts("user_type", "v2")).toEqual({ internal: 2, external: 1 });
    const [own, above] = [one.tenant.cid, parent.tenant.cid];
    expect(await counts("assigned_cids", "v1")).toEqual({ [own]: 1, [above]: 1 });
    expect(await counts("assigned_cids", "v2")).toEqual({ [own]: 2, [above]: 1 });
    expect(await counts("non_ancestor_assigned_cids", "v2")).toEqual({ [own]: 2 });
  });
});
