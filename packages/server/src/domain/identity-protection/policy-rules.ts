import { newIdentifier } from "../../foundation/identifiers.ts";
import { where, type Predicate } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import type { Problem } from "../../foundation/errors.ts";
import { defined } from "../../records/defined.ts";
import type { CreatableKind } from "../../records/plain/kind.ts";

type Schemas = components["schemas"];
export type PolicyRule = Schemas["IdentityPolicyRule"];
export type PolicyRuleInput = Schemas["IdentityPolicyRuleInput"];
type Condition = Schemas["IdentityPolicyRuleCondition"];

/** Maximum number of rules per tenant. One response lists all of them. */
export const maximumPolicyRules = 10_000;

/** A rule defines the action for an activity that meets its conditions. */
export const policyRules: CreatableKind<PolicyRule, PolicyRuleInput> = {
  noun: "policy rule",
  resource: {
    name: "policy_rules",
    collection: "identity_protection",
    fields: {
      name: { type: "string", case: "insensitive" },
      enabled: { type: "boolean" },
      simulation_mode: { type: "boolean" },
    },
    id: "id",
    indexes: ["name"],
  },
  make: ({ name, action, trigger, enabled = false, simulation_mode, ...conditions }) => {
    const { activity, source_user, source_endpoint, destination } = conditions;
    return {
      id: newIdentifier(),
      name,
      action,
      trigger,
      enabled,
      simulation_mode,
      ...defined({ activity, source_user, source_endpoint, destination }),
    };
  },
  problems: (_planned, input) => conditionProblems(input, "body"),
  maximum: maximumPolicyRules,
};

const parts = ["activity", "source_user", "source_endpoint", "destination"] as const;

/** Problems of values that a condition both includes and excludes. */
function conditionProblems(input: PolicyRuleInput, at: string): readonly Problem[] {
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
      ? [{ at: `${at}.exclude[${index}]`, message: `${value} is also in include` }]
      : [],
  );
}

/** The conditions of `get_policy_rules_query`; absent conditions match every rule. */
interface RuleConditions {
  readonly enabled?: boolean;
  readonly simulation_mode?: boolean;
  /** The complete name, case-insensitive. */
  readonly name?: string;
}

/** Rules that meet all conditions. */
export const rulesMatching = ({ enabled, simulation_mode, name }: RuleConditions): Predicate =>
  where.all(
    enabled === undefined ? where.everything : where.equal("enabled", enabled),
    simulation_mode === undefined
      ? where.everything
      : where.equal("simulation_mode", simulation_mode),
    name === undefined ? where.everything : where.equalFolded("name", name),
  );
