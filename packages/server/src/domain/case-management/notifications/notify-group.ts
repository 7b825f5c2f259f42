import { newUuid } from "../../../foundation/identifiers.ts";
import type { Writing } from "../../../records/write.ts";
import type { StoredCase } from "../kinds/cases.ts";
import type { DueStep } from "../kinds/timers.ts";
import { originOf, settingsOf, type ChannelParams, type ChannelType } from "./channels.ts";
import { deliveries, jobKindOf, type Delivery } from "./deliveries.ts";
import type { EscalationEvent } from "./events.ts";
import { notificationGroups, type StoredNotificationGroup } from "./notification-groups.ts";

interface Recipient {
  readonly channel: ChannelType;
  readonly target: string;
  readonly settings: ChannelParams;
}

/** Adds a delivery for each recipient of the step's group, and the jobs that deliver them. */
export async function notifyGroup(
  { transaction, now }: Writing,
  about: StoredCase,
  due: DueStep,
  instant: Date,
): Promise<void> {
  const id = due.step.notification_group_id;
  const group = (await transaction.records(notificationGroups.resource).getForUpdate([id])).get(id);
  const shared = {
    cid: about.cid,
    case_id: about.id,
    reference_id: about.reference_id,
    group_id: id,
    group_name: group?.name ?? "",
    created_at: now.toISOString(),
    event: eventOf(about, due, instant),
  };
  const records = transaction.records(deliveries);
  if (group === undefined) {
    // A group that a current SLA uses cannot be deleted, but the case may have an older version of
    // the SLA.
    const outcome = "the notification group no longer exists";
    const attempts = [{ at: now.toISOString(), outcome }];
    await records.insert(
      [{ id: newUuid(), ...shared, channel: null, target: "", state: "failed", attempts }],
      now,
    );
    return;
  }
  const messages = recipientsOf(group).map((recipient): Delivery & Recipient => ({
    id: newUuid(),
    ...shared,
    ...recipient,
    state: "waiting",
    attempts: [],
  }));
  await records.insert(messages, now);
  for (const { id: delivery, channel } of messages) {
    await transaction.enqueue({ kind: jobKindOf(channel), payload: { id: delivery } }, now);
  }
}

function recipientsOf({ channels, secrets }: StoredNotificationGroup): readonly Recipient[] {
  return channels.flatMap((channel, index): readonly Recipient[] => {
    const { type } = channel;
    const settings = settingsOf(channel, secrets[index] ?? {});
    if (type !== "email") {
      const target = settings.url === undefined ? "PagerDuty" : originOf(settings.url);
      return [{ channel: type, target, settings }];
    }
    return (settings.recipients ?? []).map((address) => ({
      channel: type,
      target: address,
      settings: { recipients: [address] },
    }));
  });
}

function eventOf(
  { cid, id, reference_id, name, status, severity, severity_info, sla }: StoredCase,
  { goal, number, step, timer }: DueStep,
  instant: Date,
): EscalationEvent {
  return {
    type: "case.sla.missed",
    timestamp: instant.toISOString(),
    cid,
    case: { id, reference_id, name, status, severity, severity_level: severity_info.level },
    sla: { id: sla?.id ?? "", name: sla?.name ?? "" },
    goal: {
      type: goal,
      duration_seconds: timer.duration_seconds,
      missed_at: new Date((timer.time_due ?? 0) * 1_000).toISOString(),
    },
    step: { number, escalate_after_seconds: step.escalate_after_seconds },
  };
}
