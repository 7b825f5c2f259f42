import type { components } from "@security-platform/spec";
import { printable } from "../../../mail/printable.ts";
import type { GoalType } from "../kinds/slas.ts";

type Schemas = components["schemas"];

/** The content of a message. The body of a webhook also has the delivery's id. */
export interface EscalationEvent {
  readonly type: "case.sla.missed";
  /** The time at which the step was due, RFC 3339. */
  readonly timestamp: string;
  readonly cid: string;
  readonly case: {
    readonly id: string;
    readonly reference_id: string;
    readonly name: string;
    readonly status: Schemas["CaseStatus"];
    readonly severity: number;
    readonly severity_level: string;
  };
  readonly sla: { readonly id: string; readonly name: string };
  readonly goal: {
    readonly type: GoalType;
    readonly duration_seconds: number;
    /** When the goal was missed, RFC 3339. */
    readonly missed_at: string;
  };
  readonly step: { readonly number: number; readonly escalate_after_seconds: number };
}

const goalNames: Readonly<Record<GoalType, string>> = {
  ack: "not acknowledged",
  resolve: "not resolved",
};

/** One line about an event, whatever is in the name of the case. */
export const headline = ({ case: about, goal }: EscalationEvent): string =>
  `${about.reference_id} was ${goalNames[goal.type]} in time: ${printable(about.name)}`;

/** Names and values that complete the headline. */
export const facts = ({ case: about, sla, goal, step }: EscalationEvent) =>
  [
    ["Severity", `${about.severity} (${about.severity_level})`],
    ["Status", about.status],
    ["SLA", printable(sla.name)],
    ["Goal missed at", goal.missed_at],
    ["Escalation step", String(step.number)],
  ] as const;
