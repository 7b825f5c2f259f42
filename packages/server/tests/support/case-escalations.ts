import { listDeliveries } from "../../src/domain/case-management/notifications/keep-deliveries.ts";
import type { DeliveryState } from "../../src/domain/case-management/notifications/deliveries.ts";
import type { components } from "@security-platform/spec";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { TestApi } from "./api.ts";
import { CaseConfiguration, only } from "./case-configuration.ts";
import { startReceiver, type Receiver } from "./receiver.ts";
import { openBaseSession } from "./session.ts";
import { sharedApi, type Database } from "./shared-api.ts";

type Case = components["schemas"]["Case"];

/** The secret of the webhooks. */
export const secret = "a secret of sixteen";

/** The configuration and the cases of one tenant. */
export class Work extends CaseConfiguration {
  static async open(api: TestApi): Promise<Work> {
    return new Work({ ...api, ...(await openBaseSession(api, "tenant")) });
  }

  /** A template whose SLA notifies these channels if nobody takes a case within 15 minutes. */
  async template(channels: readonly object[], ...after: readonly number[]) {
    const { id } = await this.created("notification-groups/v2", { name: "On-call", channels });
    const steps = after.map((escalate_after_seconds) => ({
      notification_group_id: id,
      escalate_after_seconds,
    }));
    const sla = await this.created("slas/v1", {
      name: "Critical",
      goals: [
        { type: "ack", duration_seconds: 900, escalation_policy: { steps } },
        { type: "resolve", duration_seconds: 3_600 },
      ],
    });
    const template = await this.created("templates/v1", { name: "Ransomware", sla_id: sla.id });
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

/** A server that can deliver messages only to the receiver. */
export function escalationSuite(database: Database) {
  const received: { receiver?: Receiver } = {};
  const outgoing = { allowedNetworks: ["127.0.0.0/8"], pagerDutyUrl: "" };
  const receiver = (): Receiver => {
    if (received.receiver === undefined) throw new Error("the receiver has not started");
    return received.receiver;
  };
  beforeAll(async () => {
    received.receiver = await startReceiver();
    outgoing.pagerDutyUrl = `${receiver().url}/pagerduty`;
  });
  afterAll(() => receiver().close());
  beforeEach(() => {
    receiver().messages.length = 0;
    receiver().statuses.length = 0;
  });
  const shared = sharedApi(database, {
    config: { outgoing },
    resolve: async (host) => (host === "hooks.example" ? ["127.0.0.1"] : ["169.254.169.254"]),
  });
  return { receiver, open: () => Work.open(shared.api()) };
}
