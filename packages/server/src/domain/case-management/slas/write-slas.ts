import type { components } from "@security-platform/spec";
import { where } from "@security-platform/fql";
import { newIdentifier } from "../../../foundation/identifiers.ts";
import type { Problem } from "../../../foundation/errors.ts";
import { cleared, defined, type Clearable } from "../../../records/defined.ts";
import type { Named, PlainKind, Use } from "../../../records/plain/kind.ts";
import type { Reaction, Transaction } from "../../../store/index.ts";
import { created, stampsOf, updated, type Stamp } from "../stamps.ts";
import { notificationGroups } from "../notifications/notification-groups.ts";
import type { StoredNotificationGroup } from "../notifications/notification-groups.ts";
import { caseTemplates } from "../kinds/templates.ts";
import { slas, slaSnapshots, type Sla, type SlaSnapshot, type StoredSla } from "../kinds/slas.ts";

type Schemas = components["schemas"];
export type SlaInput = Schemas["SlaCreateRequest"];
export type SlaChanges = Omit<Schemas["SlaUpdateRequest"], "id">;

/** Writes SLAs for the caller. Each write adds a snapshot. */
export const slaRules = (stamp: Stamp): PlainKind<StoredSla, SlaInput, SlaChanges> => ({
  ...slas,
  unique: ["name"],
  make: ({ goals, ...members }, { cid }) =>
    inOrder({
      id: newIdentifier(),
      cid,
      ...members,
      goals: goals.map(goalOf),
      ...created(stamp),
      snapshot_id: newIdentifier(),
      goal_ids: { ack: newIdentifier(), resolve: newIdentifier() },
    }),
  change: (sla, { name, description, goals }) =>
    inOrder({
      ...sla,
      ...defined({ name }),
      ...cleared({ description }),
      ...(goals === undefined ? {} : { goals: goals.map(goalOf) }),
      ...updated(stamp),
      snapshot_id: newIdentifier(),
    }),
  problems: ({ at, after }) => repeatedGoals(after, at),
  references: [{ member: "goals", target: notificationGroups, namesIn: groupsIn }],
  finish: async (transaction, { after }, now) => {
    await transaction.records(slaSnapshots).insert([snapshotOf(after)], now);
    return after;
  },
});

/** Templates that use an SLA, which then cannot be deleted. */
export const usesOfSlas: readonly Use<StoredSla>[] = [{ kind: caseTemplates, field: "sla_ids" }];

function goalOf({
  type,
  duration_seconds,
  escalation_policy,
}: Schemas["SlaGoalInput"]): Schemas["SlaGoal"] {
  if (escalation_policy === undefined) return { type, duration_seconds };
  const steps = escalation_policy.steps
    .map(({ notification_group_id, escalate_after_seconds = 0 }) => ({
      notification_group_id,
      escalate_after_seconds,
    }))
    .toSorted((left, right) => left.escalate_after_seconds - right.escalate_after_seconds);
  return { type, duration_seconds, escalation_policy: { steps } };
}

function repeatedGoals({ goals }: Sla, at: string): readonly Problem[] {
  return goals.flatMap(({ type }, index) => {
    const first = goals.findIndex((goal) => goal.type === type);
    if (first === index) return [];
    const message = `${at}.goals[${first}] already has the type ${type}; an SLA can have one goal of each type`;
    return [{ at: `${at}.goals[${index}].type`, message }];
  });
}

function groupsIn({ goals }: StoredSla): readonly Named[] {
  return goals.flatMap(({ escalation_policy }, goal) =>
    (escalation_policy?.steps ?? []).map(({ notification_group_id }, step) => ({
      id: notification_group_id,
      place: `.goals[${goal}].escalation_policy.steps[${step}].notification_group_id`,
    })),
  );
}

function inOrder(sla: Clearable<Omit<StoredSla, "group_ids">, "description">): StoredSla {
  const { id, cid, name, description, goals, snapshot_id, goal_ids } = sla;
  const steps = goals.flatMap(({ escalation_policy }) => escalation_policy?.steps ?? []);
  return {
    id,
    cid,
    name,
    ...(description === undefined ? {} : { description }),
    goals,
    ...stampsOf(sla),
    snapshot_id,
    goal_ids,
    group_ids: [...new Set(steps.map(({ notification_group_id }) => notification_group_id))],
  };
}

const snapshotOf = ({ snapshot_id, cid, id, name, goals, goal_ids }: StoredSla): SlaSnapshot => ({
  id: snapshot_id,
  cid,
  sla_id: id,
  name,
  goals: goals.map(({ type, duration_seconds, escalation_policy }) => ({
    id: goal_ids[type],
    type,
    duration_seconds,
    steps: escalation_policy?.steps ?? [],
  })),
});

/** A change of a notification group creates a new version of the SLAs that use it. */
export const followGroups: Reaction<StoredNotificationGroup> = {
  run: async (transaction, changes, now) => {
    const changed = changes.flatMap(({ before, after }) =>
      before === null || after === null ? [] : [after.id],
    );
    if (changed.length === 0) return;
    const records = transaction.records(slas.resource);
    const users = await records.findForUpdate(where.anyOf("group_ids", changed), now);
    await renewSlas(transaction, users, now);
  },
};

async function renewSlas(
  transaction: Transaction,
  stored: readonly StoredSla[],
  now: Date,
): Promise<void> {
  const renewed = stored.map((sla) => ({ ...sla, snapshot_id: newIdentifier() }));
  if (renewed.length === 0) return;
  await transaction.records(slaSnapshots).insert(renewed.map(snapshotOf), now);
  await transaction.records(slas.resource).replace(renewed, now);
}
