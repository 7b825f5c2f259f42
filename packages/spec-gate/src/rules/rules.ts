import { operationRules } from "./operation-rules.ts";
import type { Rule } from "./rule.ts";
import { schemaRules } from "./schema-rules.ts";

/** Every rule by its id. */
export const rules = { ...schemaRules, ...operationRules };

/** Other reasons why a run fails, which reports also name. They have no severity. */
export const failureRules = {
  "approval-expired": "The last day of an approval is over.",
  "approval-unused": "An approval matches no breaking change.",
  "cannot-judge": "The documents cannot be compared.",
} as const;

export type RuleId = keyof typeof rules;

export const ruleOf = (id: RuleId): Rule => rules[id];
