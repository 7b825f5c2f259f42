import { expect, test } from "vitest";
import { only, webhook } from "./support/case-configuration.ts";
import { escalationSuite, secret } from "./support/case-escalations.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { days, hours, minutes } from "./support/manual-clock.ts";

withPostgresAtNight((engine) => {
  const { receiver, open } = escalationSuite(engine);

  test("in a week, each step of the escalation is executed once", async () => {
    const work = await open();
    const { clock } = work.api;
    const { sla, template } = await work.template(
      [webhook(`${receiver().url}/hook`, secret)],
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
    expect(receiver().messages).toEqual([]);
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
    const bodies = receiver().messages.map(({ body }) => JSON.parse(body) as { id: string });
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

  test("closing and pausing stop the timers, reopening and resuming start them again", async () => {
    const work = await open();
    const { clock } = work.api;
    const { template } = await work.template([webhook(`${receiver().url}/hook`, secret)], 0);
    const { id } = await work.case({ template: { id: template.id } });
    clock.advance(minutes(5));
    const accepted = await work.patchCase(id, { status: "in_progress", slas_active: false });
    expect(accepted.sla?.timers).toMatchObject({
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
    expect(receiver().messages).toEqual([]);
  });

  test("rules select the SLA, and another template selects another SLA", async () => {
    const work = await open();
    const { sla, template } = await work.template([webhook(`${receiver().url}/hook`, secret)], 0);
    const severe = await work.sla("Severe");
    const ruled = await work.created("templates/v1", {
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
    const none = await work.created("templates/v1", { name: "None" });
    const without = await work.patchCase(plain.id, { template: { id: none.id } });
    expect(without).not.toHaveProperty("sla");
    work.api.clock.advance(days(1));
    await work.api.work();
    expect((await work.readCase(plain.id)).version).toBe(without.version);
  });

  test("a case keeps its version of the SLA when the SLA or its group changes", async () => {
    const work = await open();
    const { group, sla, template } = await work.template(
      [webhook(`${receiver().url}/hook`, secret)],
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

  test("a template cannot be deleted while an open case uses it", async () => {
    const work = await open();
    const { template } = await work.template([webhook(`${receiver().url}/hook`, secret)], 0);
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
