import { newIdentifier } from "../../identifiers.ts";
import type { Predicate } from "@security-platform/fql";
import { foldCase } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import type { Problem } from "../../errors.ts";
import type { Resource } from "../../store/types.ts";

type Schemas = components["schemas"];
export type PolicyRule = Schemas["IdentityPolicyRule"];
export type PolicyRuleInput = Schemas["IdentityPolicyRuleInput"];
type Condition = Schemas["IdentityPolicyRuleCondition"];

/** How one is called in messages. */
export const policyRuleNoun = "policy rule";

/** As many as a tenant can have: a list of them all is one answer. */
export const mostPolicyRules = 10_000;

/** What happens when somebody does what a rule describes. */
export const policyRules: Resource<PolicyRule> = {
  name: "policy_rules",
  collection: "identity_protection",
  fields: {
    name: { type: "string", case: "insensitive" },
    enabled: { type: "boolean" },
    simulation_mode: { type: "boolean" },
  },
  id: "id",
  indexes: ["name"],
};

/** The rule that an input without problems describes, its members in their one order. */
export function newPolicyRule(input: PolicyRuleInput): PolicyRule {
  const { name, action, trigger, enabled, simulation_mode } = input;
  const { activity, source_user, source_endpoint, destination } = input;
  const id = newIdentifier();
  return {
    id,
    name,
    action,
    trigger,
    enabled,
    simulation_mode,
    ...(activity === undefined ? {} : { activity }),
    ...(source_user === undefined ? {} : { source_user }),
    ...(source_endpoint === undefined ? {} : { source_endpoint }),
    ...(destination === undefined ? {} : { destination }),
  };
}

const parts = ["activity", "source_user", "source_endpoint", "destination"] as const;

/** Values that a condition both includes and excludes. */
export function conditionProblems(input: PolicyRuleInput, at: string): readonly Problem[] {
  return parts.flatMap((part) =>
    Object.entries(input[part] ?? {}).flatMap(([name, condition]) =>
      contradictions(condition as Condition, `${at}.${part}.${name}`),
    ),
  );
}

function contradictions({ include = [], exclude = [] }: Condition, at: string): readonly Problem[] {
  const included = new Set(include);
  return exclude.flatMap((value, index) =>
    included.has(value)
      ? [{ at: `${at}.exclude[${index}]`, message: `${value} is in include, too` }]
      : [],
  );
}

interface Asked {
  readonly enabled?: boolean;
  readonly simulation_mode?: boolean;
  /** The whole name, in any case. */
  readonly name?: string;
}

/** The rules that have all of the values asked for. */
export function rulesLike({ enabled, simulation_mode, name }: Asked): Predicate {
  const operands: Predicate[] = [];
  const equal = (field: string, value: string | boolean, fold: boolean) =>
    operands.push({ kind: "equal", field, value, fold });
  if (enabled !== undefined) equal("enabled", enabled, false);
  if (simulation_mode !== undefined) equal("simulation_mode", simulation_mode, false);
  if (name !== undefined) equal("name", foldCase(name), true);
  return operands.length === 0 ? { kind: "everything" } : { kind: "and", operands };
}
