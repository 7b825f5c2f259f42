import { expect, test } from "vitest";
import { ruleGroups } from "../src/inventory/rule-groups.ts";
import { importRecords } from "../src/imports/index.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { nobody, policy, preventionSuite } from "./support/prevention.ts";
import { type ErrorBody, messages } from "./support/session.ts";

withPostgresAtNight((engine) => {
  const suite = preventionSuite(engine);

  test("enable and disable, several at once, in the requested order, without duplicates", async () => {
    const api = await suite.open();
    const [a, b] = await api.stored(policy("A"), policy("B", { platform_name: "Mac" }));
    if (a === undefined || b === undefined) throw new Error("nothing was created");
    api.clock.advance(60_000);
    const answer = await api.act("enable", [b.id, a.id, b.id]);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual(
      [b, a].map((each) => ({
        ...each,
        enabled: true,
        modified_timestamp: api.clock.now().toISOString(),
      })),
    );
    const disabled = await api.act("disable", [a.id], { action_parameters: [] });
    expect(disabled.body.map(({ enabled }) => enabled)).toEqual([false]);
  });

  test("an action without effect is neither an error nor a change", async () => {
    const api = await suite.open();
    const group = await api.addGroup("Lab");
    const before = await api.one(policy("A"));
    const standard = await api.defaultOf("Windows");
    const trail = () => api.store.directory.auditEntries({ cid: api.tenant.cid, limit: 100 });
    const entries = (await trail()).length;
    api.clock.advance(60_000);
    const ids = [before.id, standard.id];
    expect((await api.act("remove-host-group", ids, { group_id: group.id })).body).toEqual([
      before,
      standard,
    ]);
    expect((await api.act("disable", [before.id])).body).toEqual([before]);
    expect((await api.act("enable", [standard.id])).body).toEqual([standard]);
    expect(await trail()).toHaveLength(entries);
    const [grouped] = (await api.act("add-host-group", [before.id], { group_id: group.id })).body;
    api.clock.advance(60_000);
    const again = await api.act("add-host-group", [before.id], { group_id: group.id });
    expect(again.body).toEqual([grouped]);
  });

  test("host groups are added and removed, as complete objects, in the order of addition", async () => {
    const api = await suite.open();
    const [lab, office] = [await api.addGroup("Lab", ["a"]), await api.addGroup("Office")];
    const { id } = await api.one(policy("A"));
    await api.act("add-host-group", [id], { group_id: office.id });
    const action_parameters = [office.id, lab.id, lab.id].map((value) => ({
      name: "group_id",
      value,
    }));
    // The parameters take precedence over the id beside them.
    const both = await api.act("add-host-group", [id], { action_parameters, group_id: nobody });
    expect(both.status, both.text).toBe(200);
    expect(both.body[0]?.groups.map(({ name }) => name)).toEqual(["Office", "Lab"]);
    expect(both.body[0]?.groups[1]).toEqual({
      id: lab.id,
      name: "Lab",
      description: "",
      group_type: "static",
      assignment_rule: "device_id:[''],hostname:['a']",
      created_by: "cli",
      created_timestamp: lab.created_timestamp,
      modified_by: "cli",
      modified_timestamp: lab.modified_timestamp,
    });
    const removed = await api.act("remove-host-group", [id], { group_id: office.id });
    expect(removed.body[0]?.groups.map(({ name }) => name)).toEqual(["Lab"]);
    expect((await api.get(id)).body).toEqual(removed.body);
  });

  test("rule groups are added and removed, also on a default policy", async () => {
    const api = await suite.open();
    const rules = await api.addRuleGroup("Rules");
    const { id } = await api.defaultOf("Windows");
    const more = { action_parameters: [{ name: "rule_group_id", value: rules.id }] };
    const added = await api.act("add-rule-group", [id], more);
    expect(added.status, added.text).toBe(200);
    expect(added.body[0]?.ioa_rule_groups).toEqual([rules]);
    const removed = await api.act("remove-rule-group", [id], more);
    expect(removed.body[0]?.ioa_rule_groups).toEqual([]);
  });

  test("rule groups are imported, and policies show their current state", async () => {
    const api = await suite.open();
    const { store, clock, tenant } = api;
    const load = (line: object) =>
      importRecords(store, {
        cid: tenant.cid,
        kind: "rule-groups",
        clock,
        update: true,
        lines: [JSON.stringify({ name: "Rules", platform: "windows", ...line })],
      });
    expect(await load({ rule_ids: ["1"] })).toMatchObject({ imported: 1, problems: [] });
    const [value = ""] = await store
      .records(ruleGroups, { cid: tenant.cid })
      .distinct("id", { kind: "everything" }, { now: clock.now(), limit: 2 });
    const { id } = await api.one(policy("A"));
    const more = { action_parameters: [{ name: "rule_group_id", value }] };
    const [before] = (await api.act("add-rule-group", [id], more)).body;
    expect(before?.ioa_rule_groups).toEqual([
      {
        id: value,
        customer_id: tenant.cid,
        name: "Rules",
        description: "",
        platform: "windows",
        enabled: true,
        deleted: false,
        rule_ids: ["1"],
        version: 1,
        comment: "",
        committed_timestamp: clock.now().toISOString(),
        created_by: "import",
        created_timestamp: clock.now().toISOString(),
        modified_by: "import",
        modified_timestamp: clock.now().toISOString(),
      },
    ]);
    clock.advance(60_000);
    expect(await load({ rule_ids: ["1"] })).toMatchObject({ unchanged: 1 });
    expect(await load({ rule_ids: ["1", "2"], version: 2 })).toMatchObject({ updated: 1 });
    const [after] = (await api.get(id)).body;
    expect(after?.ioa_rule_groups).toEqual([
      {
        ...before?.ioa_rule_groups[0],
        rule_ids: ["1", "2"],
        version: 2,
        committed_timestamp: clock.now().toISOString(),
        modified_timestamp: clock.now().toISOString(),
      },
    ]);
    expect(after?.modified_timestamp).toBe(before?.modified_timestamp);
    expect(await load({ platform: "solaris" })).toMatchObject({ rejected: 1 });
  });

  test("rule groups of another platform", async () => {
    const api = await suite.open();
    const rules = await api.addRuleGroup("Rules", "mac");
    const [a, b] = await api.stored(policy("A"), policy("B", { platform_name: "Mac" }));
    if (a === undefined || b === undefined) throw new Error("nothing was created");
    const answer = await api.act<ErrorBody>("add-rule-group", [b.id, a.id], {
      action_parameters: [{ name: "rule_group_id", value: rules.id }],
    });
    expect(answer.status).toBe(400);
    expect(messages(answer)).toEqual([
      `body.ids: ${a.id} is a policy of Windows; rule group ${rules.id} is for mac`,
    ]);
    expect((await api.get(b.id)).body[0]?.ioa_rule_groups).toEqual([]);
  });

  test("default policies stay enabled and without host groups", async () => {
    const api = await suite.open();
    const group = await api.addGroup("Lab");
    const ordinary = await api.one(policy("A"));
    const { id } = await api.defaultOf("Mac");
    const disabled = await api.act<ErrorBody>("disable", [id]);
    expect(disabled.status).toBe(409);
    expect(disabled.body.errors).toEqual([
      { code: 409, id, message: `the default policy of Mac, ${id}, is always enabled` },
    ]);
    const grouped = await api.act<ErrorBody>("add-host-group", [ordinary.id, id], {
      group_id: group.id,
    });
    expect(grouped.status).toBe(409);
    expect(messages(grouped)).toEqual([`the default policy of Mac, ${id}, has no host groups`]);
    expect((await api.get(ordinary.id)).body[0]?.groups).toEqual([]);
  });

  test("unknown groups and policies, and those of another tenant", async () => {
    const [api, other] = [await suite.open(), await suite.open()];
    const foreign = await other.addGroup("Foreign");
    const rules = await other.addRuleGroup("Foreign rules");
    const { id } = await api.one(policy("A"));
    for (const [action, name, value, noun] of [
      ["add-host-group", "group_id", foreign.id, "host group"],
      ["remove-host-group", "group_id", foreign.id, "host group"],
      ["add-host-group", "group_id", nobody, "host group"],
      ["add-rule-group", "rule_group_id", rules.id, "rule group"],
      ["remove-rule-group", "rule_group_id", nobody, "rule group"],
    ] as const) {
      const answer = await api.act<ErrorBody>(action, [id], {
        action_parameters: [{ name, value }],
      });
      expect(answer.status).toBe(404);
      expect(answer.body.errors).toEqual([
        { code: 404, id: value, message: `${noun} ${value} not found` },
      ]);
    }
    const stranger = await other.one(policy("B"));
    const missing = await api.act<ErrorBody>("enable", [id, nobody, stranger.id]);
    expect(missing.status).toBe(404);
    expect(missing.body.errors.map((error) => error.id)).toEqual([nobody, stranger.id]);
    expect((await api.get(id)).body[0]?.enabled).toBe(false);
  });

  test.each([
    ["add-host-group", {}, "body.action_parameters: add-host-group needs at least one group_id"],
    [
      "remove-rule-group",
      { action_parameters: [] },
      "body.action_parameters: remove-rule-group needs at least one rule_group_id",
    ],
    [
      "add-rule-group",
      { group_id: nobody },
      "body.group_id: add-rule-group accepts only rule_group_id",
    ],
    [
      "add-host-group",
      {
        action_parameters: [
          { name: "group_id", value: nobody },
          { name: "rule_group_id", value: nobody },
        ],
      },
      "body.action_parameters[1].name: add-host-group accepts only group_id",
    ],
    [
      "enable",
      { action_parameters: [{ name: "group_id", value: nobody }] },
      "body.action_parameters[0].name: enable accepts no groups",
    ],
    ["disable", { group_id: nobody }, "body.group_id: disable accepts no groups"],
  ])("%s with %o", async (action, more, message) => {
    const api = await suite.open();
    const { id } = await api.one(policy("A"));
    const answer = await api.act<ErrorBody>(action, [id], more);
    expect(answer.status).toBe(400);
    expect(messages(answer)).toEqual([message]);
  });

  test.each([
    ["destroy", { ids: [nobody] }, /^query\.action_name: expected one of add-host-group/],
    ["enable", {}, /^body\.ids: is required$/],
    ["enable", { ids: [] }, /^body\.ids: expected 1 to 100 items/],
    ["enable", { ids: ["a"] }, /^body\.ids\[0\]: expected/],
    [
      "add-host-group",
      { ids: [nobody], action_parameters: [{ name: "filter", value: nobody }] },
      /^body\.action_parameters\[0\]\.name: expected one of group_id, rule_group_id/,
    ],
    ["add-host-group", { ids: [nobody], group_ids: [nobody] }, /did you mean group_id\?$/],
  ])("%s with an invalid body: %o", async (action_name, body, message) => {
    const api = await suite.open();
    const answer = await api.request<ErrorBody>("POST", "/policy/entities/prevention-actions/v1", {
      query: { action_name },
      body,
    });
    expect(answer.status).toBe(400);
    expect(messages(answer)[0]).toMatch(message);
  });
});
