import { expect, test } from "vitest";
import { hosts } from "../src/inventory/hosts.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { minutes } from "./support/manual-clock.ts";
import { idOf, policy, preventionSuite, type Session } from "./support/prevention.ts";
import { type ErrorBody, messages } from "./support/session.ts";

const path = "/devices/entities/host-groups/v1";

interface Group {
  readonly id: string;
  readonly name: string;
  readonly assignment_rule: string;
  readonly modified_timestamp: string;
}

const create = <Body = readonly Group[]>(api: Session, ...resources: readonly object[]) =>
  api.request<Body>("POST", path, { body: { resources } });

const update = <Body = readonly Group[]>(api: Session, ...resources: readonly object[]) =>
  api.request<Body>("PATCH", path, { body: { resources } });

async function created(api: Session, group: object): Promise<Group> {
  const answer = await create(api, group);
  expect(answer.status, answer.text).toBe(201);
  const [first] = answer.body;
  if (first === undefined) throw new Error("nothing was created");
  return first;
}

const act = <Body = readonly Group[]>(
  api: Session,
  action_name: string,
  filter: string,
  ids: readonly string[],
  more: Readonly<Record<string, boolean>> = {},
) =>
  api.request<Body>("POST", "/devices/entities/host-group-actions/v1", {
    query: { action_name, ...more },
    body: { ids, action_parameters: [{ name: "filter", value: filter }] },
  });

const members = async (api: Session, id: string) =>
  (await api.request("GET", "/devices/queries/host-group-members/v1", { query: { id } })).body;

withPostgresAtNight((engine) => {
  const suite = preventionSuite(engine);

  test("hosts match the rule of a dynamic group at once; without a rule it is empty", async () => {
    const api = await suite.open();
    await api.addHosts({ hostname: "lab-1", tags: ["lab"] }, { hostname: "office-1" });
    const { id } = await created(api, { name: "Lab", group_type: "dynamic" });
    expect(await members(api, id)).toEqual([]);
    await update(api, { id, assignment_rule: "tags:'lab'" });
    expect(await members(api, id)).toEqual([idOf("lab-1")]);
    await update(api, { id, assignment_rule: "" });
    expect(await members(api, id)).toEqual([]);
  });

  test("an invalid rule is rejected with its place and position, and nothing is written", async () => {
    const api = await suite.open();
    const good = { name: "Good", group_type: "dynamic" };
    const wrong = (assignment_rule: string, group_type = "dynamic") =>
      create<ErrorBody>(api, good, { name: "Wrong", group_type, assignment_rule });
    const at = "body.resources[1].assignment_rule: ";
    const unknown = await wrong("hostnam:'x'");
    expect(unknown.status).toBe(400);
    expect(messages(unknown)[0]).toContain(`${at}Invalid filter expression supplied`);
    expect(messages(unknown)[0]).toContain("offset 0");
    expect(messages(unknown)[0]).toContain("Did you mean 'hostname'?");
    expect(messages(await wrong("last_seen:>'now-7d'"))[0]).toContain("absolute times");
    expect(messages(await wrong("groups:'x'"))[0]).toContain("groups");
    expect(messages(await wrong("tags:'lab'", "static"))[0]).toBe(
      `${at}expected the list of a static group, such as device_id:[''],hostname:['NAME-1','NAME-2']`,
    );
    expect(messages(await wrong("device_id:['x'],hostname:['']", "staticByID"))[0]).toContain(
      "32 lower-case hexadecimal digits",
    );
    const { body } = await api.request("GET", "/devices/queries/host-groups/v1");
    expect(body).toEqual([]);
  });

  test("the rule of a static group is the list of its hosts, in requests and responses", async () => {
    const api = await suite.open();
    await api.addHosts({ hostname: "KIOSK-1" }, { hostname: "KIOSK-2" });
    const { id, assignment_rule } = await created(api, { name: "Kiosks", group_type: "static" });
    expect(assignment_rule).toBe("device_id:[''],hostname:['']");
    const list = "device_id:[''],hostname:['kiosk-1','It\\'s']";
    const [changed] = (await update(api, { id, assignment_rule: list })).body;
    expect(changed?.assignment_rule).toBe(list);
    expect(await members(api, id)).toEqual([idOf("KIOSK-1")]);
    const byId = await created(api, {
      name: "By id",
      group_type: "staticByID",
      assignment_rule: `device_id:['${idOf("KIOSK-2")}'],hostname:['']`,
    });
    expect(await members(api, byId.id)).toEqual([idOf("KIOSK-2")]);
  });

  test("add-hosts and remove-hosts change the lists of static groups", async () => {
    const api = await suite.open();
    await api.addHosts({ hostname: "a" }, { hostname: "b" }, { hostname: "c" });
    const byName = await created(api, { name: "By name", group_type: "static" });
    const byId = await created(api, { name: "By id", group_type: "staticByID" });
    const ids = [byName.id, byId.id];
    api.clock.advance(minutes(1));
    const added = await act(api, "add-hosts", "hostname:['a','b']", ids);
    expect(added.status, added.text).toBe(200);
    expect(added.body.map(({ assignment_rule }) => assignment_rule)).toEqual([
      "device_id:[''],hostname:['a','b']",
      `device_id:['${idOf("a")}','${idOf("b")}'],hostname:['']`,
    ]);
    expect(added.body[0]?.modified_timestamp).toBe(api.clock.now().toISOString());
    api.clock.advance(minutes(1));
    const again = await act(api, "add-hosts", "hostname:'A'", ids);
    expect(again.body).toEqual(added.body);
    await act(api, "remove-hosts", "hostname:'a'", ids);
    for (const id of ids) {
      expect(await members(api, id)).toEqual([idOf("b")]);
    }
    const nobody = await act(api, "add-hosts", "hostname:'nobody'", ids);
    expect(nobody.status).toBe(200);
  });

  test("a dynamic group, and a host without a name in a group of names, cause a 409", async () => {
    const api = await suite.open();
    await api.addHosts({ hostname: "named" });
    const nameless = "f".repeat(32);
    await api.store.write(api.tenant.cid, (transaction) =>
      transaction
        .records(hosts)
        .put(
          [{ cid: api.tenant.cid, device_id: nameless, platform_name: "Linux" }],
          api.clock.now(),
        ),
    );
    const dynamic = await created(api, { name: "Dynamic", group_type: "dynamic" });
    const fixed = await created(api, { name: "Static", group_type: "static" });
    const refused = await act<ErrorBody>(api, "add-hosts", "hostname:'named'", [dynamic.id]);
    expect(refused.status).toBe(409);
    expect(messages(refused)[0]).toContain("is dynamic: its assignment_rule selects");
    const unnamed = await act<ErrorBody>(api, "add-hosts", "", [fixed.id]);
    expect(unnamed.status).toBe(400);
    const all = "platform_name:['Linux','Windows']";
    const without = await act<ErrorBody>(api, "add-hosts", all, [fixed.id]);
    expect(without.status).toBe(409);
    expect(messages(without)[0]).toContain(`the host ${nameless} has no name`);
    const lenient = await act(api, "add-hosts", all, [fixed.id], { disable_hostname_check: true });
    expect(lenient.body[0]?.assignment_rule).toBe("device_id:[''],hostname:['named']");
    const wrong = await act<ErrorBody>(api, "add-hosts", "hostnam:'x'", [fixed.id]);
    expect(messages(wrong)[0]).toContain("body.action_parameters[0].value: Invalid filter");
  });

  test("policies show a renamed group; the error for a group in use names its users", async () => {
    const api = await suite.open();
    const { id } = await created(api, { name: "Lab", group_type: "dynamic" });
    const { id: policyId } = await api.one(policy("Strict"));
    await api.act("add-host-group", [policyId], { group_id: id });
    await update(api, { id, name: "Laboratory", description: "Third floor" });
    expect((await api.get(policyId)).body[0]?.groups).toMatchObject([
      { id, name: "Laboratory", description: "Third floor" },
    ]);
    const indicator = await api.request("POST", "/iocs/entities/indicators/v1", {
      body: {
        indicators: [
          {
            type: "domain",
            value: "lab.example",
            action: "no_action",
            platforms: ["windows"],
            host_groups: [id],
          },
        ],
      },
    });
    expect(indicator.status, indicator.text).toBe(201);
    const [{ id: indicatorId = "" } = {}] = indicator.body as readonly { id: string }[];
    const refused = await api.request<ErrorBody>("DELETE", path, { query: { ids: [id] } });
    expect(refused.status).toBe(409);
    expect(messages(refused)).toEqual([
      `the host group ${id}, Laboratory, is in use by the prevention policy ${policyId}, Strict; change that one first`,
      `the host group ${id}, Laboratory, is in use by the indicator ${indicatorId}, lab.example; change that one first`,
    ]);
    await api.act("remove-host-group", [policyId], { group_id: id });
    await api.request("DELETE", "/iocs/entities/indicators/v1", { query: { ids: [indicatorId] } });
    const deleted = await api.request("DELETE", path, { query: { ids: [id] } });
    expect(deleted.body).toEqual([id]);
    expect((await api.request("GET", path, { query: { ids: [id] } })).status).toBe(404);
  });

  test("a deleted group is removed from its hosts, and every write has an audit entry", async () => {
    const api = await suite.open();
    await api.addHosts({ hostname: "a" });
    const { id } = await created(api, {
      name: "All",
      group_type: "dynamic",
      assignment_rule: "hostname:'a'",
    });
    const host = async () => {
      const query = { ids: [idOf("a")] };
      const { body } = await api.request<readonly { groups: readonly string[] }[]>(
        "GET",
        "/devices/entities/devices/v2",
        { query },
      );
      return body[0]?.groups;
    };
    expect(await host()).toEqual([id]);
    await api.request("DELETE", path, { query: { ids: [id] } });
    expect(await host()).toEqual([]);
    const trail = await api.store.directory.auditEntries({ cid: api.tenant.cid, limit: 10 });
    expect(trail.map(({ operation, ids }) => [operation, ids])).toEqual(
      expect.arrayContaining([
        ["deleteHostGroups", [id]],
        ["createHostGroups", [id]],
      ]),
    );
  });
});
