/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { listDeliveries } from "../src/domain/case-management/notifications/keep-deliveries.ts";
import { startTestApi } from "./support/api.ts";
import { CaseConfiguration, webhook } from "./support/case-configuration.ts";
import { endLeases } from "./support/end-leases.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { programArguments } from "./support/programs.ts";
import { startReceiver } from "./support/receiver.ts";

const cases = 12;
const steps = [0, 600, 1_200];
/** Number of received messages after which a process is killed. */
const kills = [7, 22];

withPostgresAtNight((engine) => {
  test("two processes that are killed repeatedly execute each step once", async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const databaseUrl = await engine.url();
    const outgoing = { allowedNetworks: ["127.0.0.0/8"], pagerDutyUrl: "" };
    const api = await startTestApi({ databaseUrl, config: { outgoing } });
    const configuration = new CaseConfiguration(api);
    const group = await configuration.created("notification-groups/v2", {
      name: "On-call",
      channels: [webhook(`${receiver.url}/hook`)],
    });
    const sla = await configuration.sla("Critical", ...steps.map(() => group.id));
    const template = await configuration.created("templates/v1", { name: "T", sla_id: sla.id });
    for (let number = 0; number < cases; number += 1) {
      const body = { name: `Case ${number}`, severity: 10, template: { id: template.id } };
      const created = await api.request("PUT", "/cases/entities/cases/v2", { body });
      expect(created.status, created.text).toBe(201);
    }
    // The clock of the processes is later than all due times.
    let killed = 0;
    const words = await programArguments("escalate-until-killed", databaseUrl);
    const work = async (): Promise<void> => {
      const child = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "inherit"] });
      onTestFinished(() => void child.kill("SIGKILL"));
      const watch = setInterval(() => {
        if (killed >= kills.length || receiver.messages.length < (kills[killed] ?? 0)) return;
        killed += 1;
        child.kill("SIGKILL");
      }, 2);
      const [code, signal] = (await once(child, "close")) as [number | null, string | null];
      clearInterval(watch);
      if (signal === "SIGKILL") {
        await endLeases(api.store, databaseUrl, child.pid);
        return work();
      }
      expect(code).toBe(0);
    };
    await Promise.all([work(), work()]);

    expect(killed).toBe(kills.length);
    const deliveries = await listDeliveries(api.store, new Date(), { limit: 1_000 });
    expect(deliveries.filter(({ state }) => state !== "delivered")).toEqual([]);
    const executed = deliveries.map(({ case_id, event }) => `${case_id} ${event.step.number}`);
    expect(new Set(executed).size).toBe(cases * steps.length);
    expect(executed).toHaveLength(cases * steps.length);
    const received = receiver.messages.map(({ headers }) => String(headers["x-webhook-id"]));
    expect(new Set(received)).toEqual(new Set(deliveries.map(({ id }) => id)));
  });
});
