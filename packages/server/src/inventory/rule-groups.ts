import { foldCase } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import type { Resource } from "../store/index.ts";

/** A rule group as policies show it. */
export type RuleGroup = components["schemas"]["IoaRuleGroup"];

/** Noun for messages. */
export const ruleGroupNoun = "rule group";

/** Groups of custom rules that policies apply. Only imports create them. */
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
