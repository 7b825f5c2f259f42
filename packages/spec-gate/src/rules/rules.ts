import { operationRules } from "./operation-rules.ts";
import type { Rule } from "./rule.ts";
import { schemaRules } from "./schema-rules.ts";

/** Every rule by its id. */
export const rules = { ...schemaRules, ...operationRules };

export type RuleId = keyof typeof rules;

export const ruleOf = (id: RuleId): Rule => rules[id];
