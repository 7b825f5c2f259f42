import { createHmac } from "node:crypto";
import type { components } from "@security-platform/spec";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  findDelivery,
  listDeliveries,
  retryDelivery,
} from "../src/domain/case-management/notifications/keep-deliveries.ts";
import type { DeliveryState } from "../src/domain/case-management/notifications/deliveries.ts";
import { CaseConfiguration, email, only, webhook } from "./support/case-configuration.ts";
import { forEachEngine } from "./support/engines.ts";
import { days, hours, minutes } from "./support/manual-clock.ts";
import { startReceiver, type Receiver } from "./support/receiver.ts";
import { openBaseSession } from "./support/session.ts";
import { sharedApi } from "./support/shared-api.ts";
import { startTestApi, type TestApi } from "./support/api.ts";
import { startSmtpServer } from "./support/smtp-server.ts";

type Case = components["schemas"]["Case"];

const secret = "a secret of sixteen";

/** The configuration and the cases of one tenant. */
class Work extends CaseConfiguration {
  static async open(api: TestApi): Promise<Work> {
    return new Work({ ...api, ...(await openBaseSession(api, "tenant")) });
  }

  /** A template whose SLA notifies these channels when a case is not taken in a quarter of an hour. */
  async template(channels: readonly object[], ...after: readonly number[]) {
    const { id } = await this.made("notification-groups/v2", { name: "On-call", channels });
    const steps = after.map((escalate_after_seconds) => ({
      notification_group_id: id,
      escalate_after_seconds,
    }));
    const sla = await this.made("slas/v1", {
      name: "Critical",
      goals: [
        { type: "ack", duration_seconds: 900, escalation_policy: { steps } },
        { type: "resolve", duration_seconds: 3_600 },
      ],
    });
    const template = await this.made("templates/v1", { name: "Ransomware", sla_id: sla.id });
    return { group: id, sla, template };
  }

  async case(members: object): Promise<Case> {
    const body = { name: "Emberfall", severity: 90, ...members };
    const answer = await this.api.request<Case[]>("PUT", "/cases/entities/cases/v2", { body });
    expect(answer.status, answer.text).toBe(201);
    return answer.body[0] as Case;
  }

  async readCase(id: string): Promise<Case> {
    const body = { ids: [id] };
    return only(await this.api.request<Case[]>("POST", "/cases/entities/cases/v2", { body }));
  }

  async patchCase(id: string, fields: object): Promise<Case> {
    const body = { id, fields };
    return only(await this.api.request<Case[]>("PATCH", "/cases/entities/cases/v2", { body }));
  }

  deliveries(state?: DeliveryState) {
    const { store, clock, tenant } = this.api;
    return listDeliveries(store, clock.now(), { cid: tenant.cid, limit: 100, state });
  }
}

forEachEngine((engine) => {
  let receiver: Receiver;
  const outgoing = { allowedNetworks: ["127.0.0.0/8"], pagerDutyUrl: "" };
  beforeAll(async () => {
    receiver = await startReceiver();
    outgoing.pagerDutyUrl = `${receiver.url}/pagerduty`;
  });
  afterAll(() => receiver.close());
  beforeEach(() => {
    receiver.messages.length = 0;
    receiver.statuses.length = 0;
  });
  const shared = sharedApi(() => engine.url(), {
    config: { outgoing },
    resolve: async (host) => (host === "hooks.example" ? ["127.0.0.1"] : ["169.254.169.254"]),
  });
  const open = () => Work.open(shared.api());

  test("a week passes, and each step of the escalation is executed once", async () => {
    const work = await open();
    const { clock } = work.api;
    const { sla, template } = await work.template(
      [webhook(`${receiver.url}/hook`, secret)],
      0,
      600,
      86_400,
    );
    const created = await work.case({ template: { id: template.id } });
    const started = Math.floor(clock.now().getTime() / 1_000);
    expect(created.sla).toMatchObject({
      id: sla.id,
      name: "Critical",
      active_timer_status: "in_progress",
      active_timer_time_due: started + 900,
      timers: { resolution: { time_due: started + 3_600, status: "in_progress" } },
    });
    clock.advance(minutes(15) - 1_000);
    await work.api.work();
    expect(receiver.messages).toEqual([]);
    expect(await work.readCase(created.id)).toEqual(created);

    const until = clock.now().getTime() + days(7);
    while (clock.now().getTime() < until) {
      clock.advance(hours(2));
      await work.api.work();
    }
    const missed = await work.readCase(created.id);
    expect(missed).toMatchObject({
      version: 3,
      update_actor: { type: "system" },
      sla: {
        active_timer_status: "missed",
        timers: { acknowledgement: { status: "missed" }, resolution: { status: "missed" } },
      },
    });
    const bodies = receiver.messages.map(({ body }) => JSON.parse(body) as { id: string });
    const due = (started + 900) * 1_000;
    expect(bodies).toEqual(
      [0, 600, 86_400].map((after, index) => ({
        id: expect.any(String),
        type: "case.sla.missed",
        timestamp: new Date(due + after * 1_000).toISOString(),
        cid: work.api.tenant.cid,
        case: {
          id: created.id,
          reference_id: created.reference_id,
          name: "Emberfall",
          status: "new",
          severity: 90,
          severity_level: "critical",
        },
        sla: { id: sla.id, name: "Critical" },
        goal: { type: "ack", duration_seconds: 900, missed_at: new Date(due).toISOString() },
        step: { number: index + 1, escalate_after_seconds: after },
      })),
    );
    const delivered = await work.deliveries("delivered");
    expect(delivered.map(({ id }) => id).toSorted()).toEqual(bodies.map(({ id }) => id).toSorted());
    expect(JSON.stringify(delivered)).not.toContain(secret);
  });

  test("a receiver can check who sent a webhook, and when", async () => {
    const work = await open();
    const { template } = await work.template([webhook(`${receiver.url}/hook?x=1`, secret)], 0);
    await work.case({ template: { id: template.id } });
    work.api.clock.advance(minutes(16));
    await work.api.work();
    const [message] = receiver.messages;
    const timestamp = String(Math.floor(work.api.clock.now().getTime() / 1_000));
    expect(message).toMatchObject({
      path: "/hook?x=1",
      headers: {
        "content-type": "application/json; charset=utf-8",
        "x-webhook-id": (JSON.parse(message?.body ?? "") as { id: string }).id,
        "x-webhook-timestamp": timestamp,
        "x-webhook-signature": `v1=${createHmac("sha256", secret)
          .update(`${timestamp}.${message?.body}`)
          .digest("hex")}`,
      },
    });
  });

  test("Slack, Teams and PagerDuty get messages in their own form", async () => {
    const work = await open();
    const { template } = await work.template(
      [
        { type: "slack", params: { url: `${receiver.url}/slack` } },
        { type: "ms_teams", params: { url: `${receiver.url}/teams` } },
        { type: "pagerduty", params: { routing_key: "R0UT1NG", severity: "error" } },
      ],
      0,
    );
    const created = await work.case({ template: { id: template.id }, name: "<Fire> & smoke" });
    work.api.clock.advance(minutes(16));
    await work.api.work();
    const bodies = new Map(
      receiver.messages.map(({ path, body }) => [path, JSON.parse(body) as unknown]),
    );
    const line = `${created.reference_id} was not acknowledged in time: <Fire> & smoke`;
    expect(bodies.get("/slack")).toMatchObject({
      text: `${created.reference_id} was not acknowledged in time: &lt;Fire&gt; &amp; smoke`,
      blocks: [{ type: "section" }, { type: "section", fields: expect.any(Array) }],
    });
    expect(bodies.get("/teams")).toMatchObject({
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          content: { type: "AdaptiveCard", body: [{ text: line }, { type: "FactSet" }] },
        },
      ],
    });
    expect(bodies.get("/pagerduty")).toMatchObject({
      routing_key: "R0UT1NG",
      event_action: "trigger",
      dedup_key: `${created.id}/ack`,
      payload: { summary: line, severity: "error", source: created.reference_id },
    });
    expect(bodies.size).toBe(3);
  });

  test("a delivery is tried again until it succeeds, with the same id", async () => {
    const work = await open();
    const { template } = await work.template([webhook(`${receiver.url}/hook`, secret)], 0);
    await work.case({ template: { id: template.id } });
    receiver.statuses.push(503, 429);
    work.api.clock.advance(minutes(16));
    await work.api.work();
    expect(receiver.messages).toHaveLength(1);
    const [waiting] = await work.deliveries();
    expect(waiting).toMatchObject({
      state: "waiting",
      attempts: [{ outcome: "the receiver answered 503", status: 503 }],
    });
    work.api.clock.advance(hours(1));
    await work.api.work();
    work.api.clock.advance(hours(1));
    await work.api.work();
    expect(receiver.messages.map(({ headers }) => headers["x-webhook-id"])).toEqual([
      waiting?.id,
      waiting?.id,
      waiting?.id,
    ]);
    expect(await work.deliveries()).toMatchObject([
      {
        id: waiting?.id,
        state: "delivered",
        delivered_at: work.api.clock.now().toISOString(),
        attempts: [{ status: 503 }, { status: 429 }, { outcome: "delivered", status: 200 }],
      },
    ]);
  });

  test("what no attempt can help fails at once, and can be sent again by command", async () => {
    const work = await open();
    const { template } = await work.template(
      [webhook(`${receiver.url}/gone`, secret), webhook(`${receiver.url}/moved`, secret)],
      0,
    );
    await work.case({ template: { id: template.id } });
    receiver.statuses.push(404, 302);
    work.api.clock.advance(minutes(16));
    await work.api.work();
    const failed = await work.deliveries("failed");
    expect(failed.map(({ attempts }) => attempts[0]?.outcome).toSorted()).toEqual([
      "the receiver answered 302; redirects are not followed",
      "the receiver answered 404",
    ]);
    const { store, clock } = work.api;
    const [first] = failed;
    if (first === undefined) throw new Error("nothing has failed");
    expect(await findDelivery(store, first.id, clock.now())).toEqual(first);
    expect(await findDelivery(store, "unknown", clock.now())).toBeNull();
    expect(await retryDelivery(store, first, clock.now())).toBe(true);
    await work.api.work();
    const again = await findDelivery(store, first.id, clock.now());
    expect(again).toMatchObject({ state: "delivered", attempts: [{}, { outcome: "delivered" }] });
    expect(await retryDelivery(store, first, clock.now())).toBe(false);
  });

  test("a name that leads inside when the message is sent is refused then", async () => {
    const addresses = ["93.184.216.34"];
    const api = await startTestApi({
      databaseUrl: await engine.url(),
      resolve: async () => addresses,
    });
    const work = await Work.open(api);
    const { template } = await work.template([webhook("https://rebinding.example/x", secret)], 0);
    await work.case({ template: { id: template.id } });
    addresses[0] = "169.254.169.254";
    api.clock.advance(minutes(16));
    await api.work();
    expect(await work.deliveries()).toMatchObject([
      {
        state: "failed",
        target: "https://rebinding.example",
        attempts: [
          {
            outcome: expect.stringContaining(
              "rebinding.example is 169.254.169.254, a link-local address",
            ),
          },
        ],
      },
    ]);
  });

  test("mails go to each recipient", async () => {
    const smtp = await startSmtpServer();
    const api = await startTestApi({
      databaseUrl: await engine.url(),
      config: { mail: { url: smtp.url, from: "Platform <platform@mail.example>" } },
    });
    const work = await Work.open(api);
    const { template } = await work.template([email("a@example.com", "b@example.com")], 0);
    const created = await work.case({ template: { id: template.id } });
    api.clock.advance(minutes(16));
    await api.work();
    expect(smtp.mails.map(({ to }) => to[0]).toSorted()).toEqual([
      "a@example.com",
      "b@example.com",
    ]);
    expect(smtp.mails[0]?.headers["subject"]).toBe(
      `${created.reference_id} was not acknowledged in time: Emberfall`,
    );
    expect((await work.deliveries()).map(({ state, channel }) => [state, channel])).toEqual([
      ["delivered", "email"],
      ["delivered", "email"],
    ]);
  });

  test("closing and pausing stop the timers, reopening and resuming start them again", async () => {
    const work = await open();
    const { clock } = work.api;
    const { template } = await work.template([webhook(`${receiver.url}/hook`, secret)], 0);
    const { id } = await work.case({ template: { id: template.id } });
    clock.advance(minutes(5));
    const taken = await work.patchCase(id, { status: "in_progress", slas_active: false });
    expect(taken.sla?.timers).toMatchObject({
      acknowledgement: { status: "achieved" },
      resolution: { status: "paused" },
    });
    clock.advance(hours(10));
    await work.api.work();
    const resumed = await work.patchCase(id, { slas_active: true });
    expect(resumed.sla?.timers.resolution).toMatchObject({
      status: "in_progress",
      total_pause_time: 36_000,
    });
    clock.advance(minutes(50));
    const closed = await work.patchCase(id, { status: "closed" });
    expect(closed.sla?.timers.resolution?.status).toBe("achieved");
    expect(closed.sla).not.toHaveProperty("active_timer_status");
    clock.advance(hours(10));
    await work.api.work();
    const reopened = await work.patchCase(id, { status: "reopened" });
    expect(reopened.sla).toMatchObject({ active_timer_status: "in_progress" });
    clock.advance(minutes(5));
    await work.api.work();
    expect((await work.readCase(id)).sla?.timers.resolution?.status).toBe("missed");
    expect(receiver.messages).toEqual([]);
  });

  test("rules select the SLA, and another template starts another one", async () => {
    const work = await open();
    const { sla, template } = await work.template([webhook(`${receiver.url}/hook`, secret)], 0);
    const severe = await work.sla("Severe");
    const ruled = await work.made("templates/v1", {
      name: "Ruled",
      sla_id: sla.id,
      sla_rules: [
        { type: "fql", condition: "severity:>=80+tags:'fire'", sla_id: severe.id },
        { type: "fql", condition: "name:~'nothing like it'", sla_id: sla.id },
      ],
    });
    const use = { template: { id: ruled.id } };
    expect((await work.case({ ...use, tags: ["fire"] })).sla?.name).toBe("Severe");
    expect((await work.case({ ...use, tags: ["smoke"] })).sla?.name).toBe("Critical");
    const plain = await work.case({});
    expect(plain).not.toHaveProperty("sla");
    work.api.clock.advance(minutes(1));
    const started = Math.floor(work.api.clock.now().getTime() / 1_000);
    const changed = await work.patchCase(plain.id, { template: { id: template.id } });
    expect(changed.sla?.timers.acknowledgement?.time_started).toBe(started);
    const none = await work.made("templates/v1", { name: "None" });
    const without = await work.patchCase(plain.id, { template: { id: none.id } });
    expect(without).not.toHaveProperty("sla");
    work.api.clock.advance(days(1));
    await work.api.work();
    expect((await work.readCase(plain.id)).version).toBe(without.version);
  });

  test("a case keeps its version of the SLA, whatever becomes of its group", async () => {
    const work = await open();
    const { group, sla, template } = await work.template(
      [webhook(`${receiver.url}/hook`, secret)],
      0,
    );
    const created = await work.case({ template: { id: template.id } });
    const goals = [{ type: "ack", duration_seconds: 60 }];
    only(await work.patch("slas/v1", { id: sla.id, goals }));
    expect((await work.remove("notification-groups/v2", group)).status).toBe(200);
    const newer = await work.case({ template: { id: template.id } });
    expect(newer.sla?.timers).not.toHaveProperty("resolution");
    expect(newer.sla?.snapshot_id).not.toBe(created.sla?.snapshot_id);
    expect(newer.template?.version).toBe(2);
    work.api.clock.advance(minutes(16));
    await work.api.work();
    expect(await work.deliveries()).toMatchObject([
      {
        case_id: created.id,
        group_id: group,
        channel: null,
        state: "failed",
        attempts: [{ outcome: "the notification group no longer exists" }],
      },
    ]);
  });

  test("deliveries are kept for 90 days", async () => {
    const work = await open();
    const { template } = await work.template([webhook(`${receiver.url}/hook`, secret)], 0);
    await work.case({ template: { id: template.id } });
    work.api.clock.advance(hours(1));
    await work.api.work();
    expect(await work.deliveries()).toHaveLength(1);
    work.api.clock.advance(days(89));
    await work.api.work();
    expect(await work.deliveries()).toHaveLength(1);
    work.api.clock.advance(days(2));
    await work.api.work();
    expect(await work.deliveries()).toEqual([]);
  });

  test("a template that an open case uses stays", async () => {
    const work = await open();
    const { template } = await work.template([webhook(`${receiver.url}/hook`, secret)], 0);
    const created = await work.case({ template: { id: template.id } });
    const refused = await work.remove("templates/v1", template.id);
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining(
        `the template ${template.id}, Ransomware, is in use by the case ${created.reference_id}, Emberfall; close that one first`,
      ),
    ]);
    await work.patchCase(created.id, { status: "closed" });
    expect((await work.remove("templates/v1", template.id)).status).toBe(200);
    expect((await work.readCase(created.id)).template?.id).toBe(template.id);
  });
});
