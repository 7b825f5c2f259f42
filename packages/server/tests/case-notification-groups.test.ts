import { expect, test } from "vitest";
import {
  CaseConfiguration,
  email,
  only,
  problemsOf,
  webhook,
} from "./support/case-configuration.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { sharedApi } from "./support/shared-api.ts";

const v1 = "notification-groups/v1";
const v2 = "notification-groups/v2";

const slack = { type: "slack", params: { url: "https://hooks.slack.example/services/T0/B0/x" } };
const teams = { type: "ms_teams", params: { url: "https://teams.example/hook/1" } };
const pagerduty = { type: "pagerduty", params: { routing_key: "R0", severity: "critical" } };

withPostgresAtNight((engine) => {
  const shared = sharedApi(engine, {
    resolve: async (host) => (host === "inside.example" ? ["1.1.1.1", "169.254.169.254"] : []),
  });
  const open = async () => new CaseConfiguration(await shared.open());
  const refused = async (configuration: CaseConfiguration, channel: unknown) => {
    const answer = await configuration.post(v2, { name: "Refused", channels: [channel] });
    expect(answer.status).toBe(400);
    return problemsOf(answer);
  };

  test("responses never contain the secrets of a group", async () => {
    const configuration = await open();
    const { cid } = configuration.api.tenant;
    const group = await configuration.created(v2, {
      name: "On-call",
      description: "Day and night",
      channels: [
        email("a@example.com", "b@example.com"),
        { ...webhook("https://hooks.example/cases?x=1"), config_id: "c1", config_name: "Bridge" },
        slack,
        teams,
        { ...pagerduty, params: JSON.stringify(pagerduty.params) },
      ],
    });
    expect(group).toMatchObject({
      cid,
      name: "On-call",
      created_by: { cid, client_id: configuration.api.client.client_id },
      created_by_name: "tenant client",
      channels: [
        { type: "email", params: '{"recipients":["a@example.com","b@example.com"]}' },
        {
          type: "webhook",
          config_id: "c1",
          config_name: "Bridge",
          params: '{"url":"https://hooks.example/cases?x=1"}',
        },
        { type: "slack", params: '{"url":"https://hooks.slack.example"}' },
        { type: "ms_teams", params: '{"url":"https://teams.example"}' },
        { type: "pagerduty", params: '{"severity":"critical"}' },
      ],
    });
    expect(await configuration.read(v2, group.id)).toEqual(group);
    const filter = "channels.type:'slack'+name:'on-CALL'";
    expect((await configuration.query(v2, { filter })).body).toEqual([group.id]);
  });

  test("a change replaces the listed members", async () => {
    const configuration = await open();
    const { id } = await configuration.created(v2, {
      name: "First",
      description: "Old",
      channels: [slack],
    });
    const renamed = await configuration.changed(v2, { id, name: "Second" });
    expect(renamed).toMatchObject({ name: "Second", description: "Old", channels: [{}] });
    const cleared = await configuration.changed(v2, {
      id,
      description: null,
      channels: [email("c@example.com")],
    });
    expect(cleared).not.toHaveProperty("description");
    expect(cleared.channels).toEqual([
      { type: "email", config_name: "", params: '{"recipients":["c@example.com"]}' },
    ]);
    await configuration.group("Third");
    const clash = await configuration.patch(v2, { id, name: "THIRD" });
    expect([clash.status, clash.text]).toEqual([409, expect.stringContaining("already has THIRD")]);
    expect((await configuration.patch(v2, { id: "0".repeat(32), name: "x" })).status).toBe(404);
  });

  test("each type of channel requires its members, and accepts no others", async () => {
    const configuration = await open();
    expect(await refused(configuration, { type: "email", params: {} })).toEqual([
      "body.channels[0].params.recipients: is required for a channel of type email",
    ]);
    expect(
      await refused(configuration, { type: "webhook", params: { url: "https://a.example" } }),
    ).toEqual(["body.channels[0].params.secret: is required for a channel of type webhook"]);
    expect(
      await refused(configuration, { ...slack, params: { ...slack.params, severity: "info" } }),
    ).toEqual([
      "body.channels[0].params.severity: is not used by a channel of type slack; supported members: url",
    ]);
    expect(await refused(configuration, email("nobody"))).toEqual([
      "body.channels[0].params.recipients[0]: expected an e-mail address",
    ]);
    expect(await refused(configuration, { type: "slack", params: "{a" })).toEqual([
      "body.channels[0].params: expected an object, or an object as JSON text",
    ]);
    expect(
      await refused(configuration, { type: "slack", params: '{"urls":"https://a.b"}' }),
    ).toEqual([expect.stringContaining("body.channels[0].params.urls: ")]);
  });

  test.each([
    ["http://hooks.example/", "expected a URL with https"],
    ["https://169.254.169.254/latest/meta-data/", "169.254.169.254 is a link-local address"],
    ["https://0x7f000001/", "127.0.0.1 is a loopback address"],
    ["https://[::ffff:10.0.0.1]/", "::ffff:a00:1 is a private address"],
    ["https://inside.example/", "inside.example is 169.254.169.254, a link-local address"],
    ["https://user:secret@hooks.example/", "expected a URL without user name and password"],
  ])("a webhook to %s is rejected", async (url, message) => {
    const configuration = await open();
    expect(await refused(configuration, webhook(url))).toEqual([
      expect.stringContaining(`body.channels[0].params.url: ${message}`),
    ]);
    const old = await configuration.post(v1, {
      name: "Old",
      channels: [{ type: "webhook", recipients: [url] }],
    });
    expect(problemsOf(old)).toEqual([
      expect.stringContaining(`body.channels[0].recipients[0]: ${message}`),
    ]);
  });

  test("version 1 is another view of the same groups", async () => {
    const configuration = await open();
    const group = await configuration.created(v1, {
      name: "Old",
      channels: [
        { type: "email", recipients: ["a@example.com"] },
        { type: "slack", config_name: "Chat", recipients: ["https://hooks.slack.example/T0/x"] },
        { type: "webhook", recipients: ["https://hooks.example/one"] },
        { type: "pagerduty", recipients: ["R1"], severity: "error" },
      ],
    });
    expect(group.channels).toEqual([
      { type: "email", config_name: "", recipients: ["a@example.com"] },
      { type: "slack", config_name: "Chat", recipients: ["https://hooks.slack.example"] },
      { type: "webhook", config_name: "", recipients: ["https://hooks.example"] },
      { type: "pagerduty", config_name: "", recipients: [], severity: "error" },
    ]);
    expect((await configuration.read(v2, group.id)).channels).toEqual([
      { type: "email", config_name: "", params: '{"recipients":["a@example.com"]}' },
      { type: "slack", config_name: "Chat", params: '{"url":"https://hooks.slack.example"}' },
      { type: "webhook", config_name: "", params: '{"url":"https://hooks.example/one"}' },
      { type: "pagerduty", config_name: "", params: '{"severity":"error"}' },
    ]);
    expect(await configuration.changed(v1, { id: group.id, description: "Still here" })).toEqual({
      ...group,
      description: "Still here",
    });
    for (const [channel, message] of [
      [{ type: "email", recipients: [] }, "recipients: expected at least one e-mail address"],
      [{ type: "slack", recipients: [] }, "recipients: expected one entry, the URL"],
      [
        { type: "pagerduty", recipients: ["x".repeat(129)] },
        "recipients[0]: expected a routing key of at most 128 characters",
      ],
      [
        { type: "slack", recipients: ["https://a.example"], severity: "info" },
        "severity: is used by channels of type pagerduty only",
      ],
    ] as const) {
      const answer = await configuration.post(v1, { name: "Bad", channels: [channel] });
      expect(problemsOf(answer)).toEqual([`body.channels[0].${message}`]);
    }
  });

  test("version 1 does not show groups with a Teams channel", async () => {
    const configuration = await open();
    const group = await configuration.group("Known");
    const { id } = await configuration.created(v2, {
      name: "Teams",
      channels: [email("a@example.com"), teams],
    });
    expect((await configuration.query(v1)).body).toEqual([group.id]);
    expect((await configuration.query(v2)).body).toEqual([group.id, id]);
    const got = await configuration.get(v1, { ids: [id, group.id] });
    expect(got.status).toBe(404);
    expect(got.body).toMatchObject({ errors: [{ id }], resources: [{ id: group.id }] });
    expect((await configuration.patch(v1, { id, name: "Taken" })).status).toBe(404);
    expect((await configuration.remove(v1, group.id, id)).status).toBe(404);
    const counts = async (version: string) => {
      const body = { name: "n", type: "terms", field: "channels.type" };
      const path = `/casemgmt/aggregates/notification-groups/${version}`;
      const answer = await configuration.api.request<{ buckets: object[] }[]>("POST", path, {
        body,
      });
      return answer.body[0]?.buckets.length;
    };
    expect([await counts("v1"), await counts("v2")]).toEqual([1, 2]);
    expect((await configuration.remove(v1, group.id)).body).toEqual([group.id]);
  });

  test("a group cannot be deleted while an SLA uses it", async () => {
    const configuration = await open();
    const group = await configuration.group("Used");
    const sla = await configuration.sla("User", group.id);
    for (const path of [v1, v2] as const) {
      const answer = await configuration.remove(path, group.id);
      expect(answer.status).toBe(409);
      expect(problemsOf(answer)).toEqual([
        `the notification group ${group.id}, Used, is in use by the SLA ${sla.id}, User; change that one first`,
      ]);
    }
    only(await configuration.patch("slas/v1", { id: sla.id, goals: [sla.goals[1]] }));
    expect((await configuration.remove(v2, group.id, group.id)).body).toEqual([group.id]);
    expect((await configuration.remove(v2, group.id)).status).toBe(404);
  });
});
