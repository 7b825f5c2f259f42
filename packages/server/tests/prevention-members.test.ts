import { expect, test } from "vitest";
import { hosts, manyGroups } from "../src/inventory/hosts.ts";
import { setHostGroupMembers } from "../src/inventory/set-members.ts";
import { importRecords } from "../src/imports/index.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import {
  idOf,
  nobody,
  paths,
  policy,
  preventionSuite,
  type Session,
} from "./support/prevention.ts";
import { type ErrorBody, messages } from "./support/session.ts";

/** A policy on Windows, enabled, with these groups. */
async function enabled(api: Session, name: string, ...groups: readonly { id: string }[]) {
  const { id } = await api.one(policy(name));
  const action_parameters = groups.map((group) => ({ name: "group_id", value: group.id }));
  if (groups.length > 0) await api.act("add-host-group", [id], { action_parameters });
  await api.act("enable", [id]);
  return id;
}

withPostgresAtNight((engine) => {
  const suite = preventionSuite(engine);

  test("a host's policy is the first enabled one with one of its groups, otherwise the default one", async () => {
    const api = await suite.open();
    await api.addHosts(
      { hostname: "both" },
      { hostname: "lab" },
      { hostname: "office" },
      { hostname: "none" },
      { hostname: "mac", platform_name: "Mac" },
    );
    const lab = await api.addGroup("Lab", ["both", "lab", "mac"]);
    const office = await api.addGroup("Office", ["both", "office"]);
    const standard = await api.defaultOf("Windows");
    expect(await api.members(standard.id)).toEqual(["both", "lab", "office", "none"]);
    const first = await enabled(api, "First", lab);
    const second = await enabled(api, "Second", office, lab);
    const empty = await enabled(api, "Empty");
    expect(await api.members(first)).toEqual(["both", "lab"]);
    expect(await api.members(second)).toEqual(["office"]);
    expect(await api.members(empty)).toEqual([]);
    expect(await api.members(standard.id)).toEqual(["none"]);
    // Groups may contain hosts of several platforms; a policy has only one platform.
    expect(await api.members((await api.defaultOf("Mac")).id)).toEqual(["mac"]);
    expect(await api.members((await api.defaultOf("Android")).id)).toEqual([]);

    await api.reorder("Windows", [second, first, empty]);
    expect(await api.members(second)).toEqual(["both", "lab", "office"]);
    expect(await api.members(first)).toEqual([]);

    await api.act("disable", [second]);
    expect(await api.members(second)).toEqual([]);
    expect(await api.members(first)).toEqual(["both", "lab"]);
    expect(await api.members(standard.id)).toEqual(["office", "none"]);

    await api.act("remove-host-group", [first], { group_id: lab.id });
    expect(await api.members(first)).toEqual([]);
    expect(await api.members(standard.id)).toEqual(["both", "lab", "office", "none"]);
  });

  test("a host that changes groups changes policies", async () => {
    const api = await suite.open();
    await api.addHosts({ hostname: "one" }, { hostname: "two" });
    const [lab, office] = [
      await api.addGroup("Lab", ["one"]),
      await api.addGroup("Office", ["two"]),
    ];
    const [first, second] = [
      await enabled(api, "First", lab),
      await enabled(api, "Second", office),
    ];
    expect([await api.members(first), await api.members(second)]).toEqual([["one"], ["two"]]);
    const { store, tenant, clock } = api;
    await setHostGroupMembers(store, tenant.cid, lab.id, ["one", "two"], clock.now());
    expect([await api.members(first), await api.members(second)]).toEqual([["one", "two"], []]);
    await setHostGroupMembers(store, tenant.cid, lab.id, [], clock.now());
    await setHostGroupMembers(store, tenant.cid, office.id, ["one", "two"], clock.now());
    expect([await api.members(first), await api.members(second)]).toEqual([[], ["one", "two"]]);
  });

  test("policies show the current state of their groups, which does not count as a modification", async () => {
    const api = await suite.open();
    const lab = await api.addGroup("Lab", ["one"]);
    const id = await enabled(api, "First", lab);
    const [before] = (await api.get(id)).body;
    api.clock.advance(60_000);
    const { store, tenant, clock } = api;
    await setHostGroupMembers(store, tenant.cid, lab.id, ["one", "two"], clock.now());
    const [after] = (await api.get(id)).body;
    expect(after?.groups[0]).toMatchObject({
      assignment_rule: "device_id:[''],hostname:['one','two']",
      modified_timestamp: clock.now().toISOString(),
    });
    expect({ ...after, groups: [] }).toEqual({ ...before, groups: [] });
    const outcome = await importRecords(store, {
      cid: tenant.cid,
      kind: "host-groups",
      clock,
      update: true,
      lines: [
        JSON.stringify({ name: "lab", group_type: "dynamic", assignment_rule: "tags:'lab'" }),
      ],
    });
    expect(outcome).toMatchObject({ updated: 1, problems: [] });
    expect((await api.get(id)).body[0]?.groups[0]).toMatchObject({
      id: lab.id,
      name: "lab",
      group_type: "dynamic",
    });
  });

  test("hosts in more groups than a membership can list also have their policy", async () => {
    const api = await suite.open();
    await api.addHosts({ hostname: "many" }, { hostname: "few" });
    const groups = [];
    for (let number = 0; number < 40; number += 1) {
      groups.push(await api.addGroup(`${number}`, number < 2 ? ["many", "few"] : ["many"]));
    }
    const [, second] = groups;
    if (second === undefined) throw new Error("no groups");
    const [host] = await api.store
      .records(hosts, { cid: api.tenant.cid })
      .page({
        predicate: { kind: "equal", field: "membership", value: manyGroups, fold: false },
        sort: [],
        limit: 2,
        shape: "ids",
        now: api.clock.now(),
      })
      .then(({ items }) => items);
    expect(host).toBe(idOf("many"));
    const standard = await api.defaultOf("Windows");
    const late = await enabled(api, "Late", ...groups.slice(1));
    expect(await api.members(late)).toEqual(["many", "few"]);
    const early = await enabled(api, "Early", ...groups.slice(0, 2));
    await api.reorder("Windows", [early, late]);
    expect([await api.members(early), await api.members(late)]).toEqual([["many", "few"], []]);
    expect(await api.members(standard.id)).toEqual([]);
    await api.act("disable", [early, late]);
    expect(await api.members(standard.id)).toEqual(["many", "few"]);
  });

  test("without id: every host with a policy", async () => {
    const api = await suite.open();
    await api.addHosts(
      { hostname: "a" },
      { hostname: "b", platform_name: "Linux" },
      { hostname: "c", platform_name: "Mac" },
    );
    await enabled(api, "First", await api.addGroup("Lab", ["a"]));
    expect(await api.members()).toEqual(["a", "b", "c"]);
    expect(await api.members(undefined, { filter: "platform_name:'Mac'" })).toEqual(["c"]);
  });

  test("filters, sorts, pages and totals apply to the members", async () => {
    const api = await suite.open();
    const hostnames = Array.from({ length: 9 }, (_, index) => `h${index}`);
    await api.addHosts(
      ...hostnames.map((hostname, index) => ({
        hostname,
        tags: [index % 2 === 0 ? "even" : "odd"],
      })),
    );
    const lab = await api.addGroup("Lab", hostnames.slice(0, 6));
    const id = await enabled(api, "First", lab);
    const page = await api.request<readonly string[]>("GET", paths.memberIds, {
      query: { id, filter: "tags:'even'", sort: "hostname.desc", limit: 2 },
    });
    expect(page.status, page.text).toBe(200);
    expect(page.body).toEqual([idOf("h4"), idOf("h2")]);
    expect(page.headers.get("x-total-count")).toBe("3");
    expect(page.headers.get("link")).toContain("offset=2");
    const rest = { filter: "tags:'even'", sort: "hostname.desc", limit: 2, offset: 2 };
    expect(await api.members(id, rest)).toEqual(["h0"]);
    expect(await api.members(id, { filter: "hostname:'h8'" })).toEqual([]);
    expect(await api.members(id, { filter: `groups:'${lab.id}',hostname:'h8'` })).toHaveLength(6);
    const standard = await api.defaultOf("Windows");
    expect(await api.members(standard.id, { sort: "hostname" })).toEqual(["h6", "h7", "h8"]);
  });

  test("hosts of other tenants are not members", async () => {
    const [api, other] = [await suite.open(), await suite.open()];
    await api.addHosts({ hostname: "own" });
    await other.addHosts({ hostname: "foreign" });
    expect(await api.members((await api.defaultOf("Windows")).id)).toEqual(["own"]);
    expect(await api.members()).toEqual(["own"]);
    const { id } = await other.defaultOf("Windows");
    const answer = await api.request<ErrorBody>("GET", paths.members, { query: { id } });
    expect(answer.status).toBe(404);
  });

  test.each([
    [{ id: nobody }, 404, /^prevention policy f+ not found$/],
    [{ id: "x" }, 400, /^query\.id: expected/],
    [{ filter: "nothing:'a'" }, 400, /nothing/],
    [{ filter: "platform_name:'Solaris'+" }, 400, /Invalid filter/],
    [{ sort: "tags" }, 400, /tags/],
    [{ limit: 5001 }, 400, /^query\.limit/],
    [{ ids: nobody }, 400, /^query\.ids: unknown parameter/],
  ])("members with %o", async (query, status, message) => {
    const api = await suite.open();
    for (const path of [paths.members, paths.memberIds]) {
      const answer = await api.request<ErrorBody>("GET", path, { query });
      expect(answer.status).toBe(status);
      expect(messages(answer)[0]).toMatch(message);
    }
  });
});
