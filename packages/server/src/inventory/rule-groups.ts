import { foldCase } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import type { Resource } from "../store/types.ts";

/** As policies show it. */
export type RuleGroup = components["schemas"]["IoaRuleGroup"];

/** How one is called in messages. */
export const ruleGroupNoun = "rule group";

/** Groups of custom rules that policies put into effect. They come by import only. */
export const ruleGroups: Resource<RuleGroup> = {
  name: "ioa_rule_groups",
  collection: "inventory",
  fields: {
    id: { type: "string" },
    name: { type: "string", case: "insensitive", sortable: true },
    platform: { type: "string", case: "insensitive" },
  },
  id: "id",
  uniqueKey: ({ name }) => foldCase(name),
  indexes: [],
};
