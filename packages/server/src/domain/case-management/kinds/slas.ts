import { foldCase, type Fields } from "@security-platform/fql";
import { fqlTables, type components } from "@security-platform/spec";
import type { Kind } from "../../../records/plain/kind.ts";
import type { Resource } from "../../../store/index.ts";

type Schemas = components["schemas"];
export type Sla = Schemas["Sla"];
export type GoalType = Schemas["SlaGoalType"];

/** A stored SLA: the served one, and keys for look-ups by cases and notification groups. */
export interface StoredSla extends Sla {
  /** Its newest snapshot. */
  readonly snapshot_id: string;
  /** A goal of a type keeps its identifier as long as the SLA exists. */
  readonly goal_ids: Readonly<Record<GoalType, string>>;
  /** Notification groups of all its steps, without duplicates. */
  readonly group_ids: readonly string[];
}

const fields: Fields = {
  ...fqlTables.slas.fields,
  group_ids: { type: "string", array: true },
};

export const slas: Kind<StoredSla> = {
  noun: "SLA",
  resource: {
    name: "slas",
    collection: "case_management",
    fields,
    id: "id",
    uniqueKey: ({ name }) => foldCase(name),
    hidden: ["snapshot_id", "goal_ids", "group_ids"],
    indexes: ["name"],
  },
  fields: fqlTables.slas.fields,
};

/** One version of an SLA. Cases keep the version that was current when the SLA was applied. */
export interface SlaSnapshot {
  readonly id: string;
  readonly cid: string;
  readonly sla_id: string;
  readonly name: string;
  readonly goals: readonly SnapshotGoal[];
}

export interface SnapshotGoal {
  readonly id: string;
  readonly type: GoalType;
  readonly duration_seconds: number;
  /** Ordered by time. */
  readonly steps: readonly Schemas["SlaEscalationStep"][];
}

/** No operation returns snapshots; they define the timers of cases. */
export const slaSnapshots: Resource<SlaSnapshot> = {
  name: "sla_snapshots",
  collection: "case_management",
  fields: { sla_id: { type: "string" } },
  id: "id",
  indexes: ["sla_id"],
};
