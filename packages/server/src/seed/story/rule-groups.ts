import { ruleGroupImporter } from "../../imports/rule-groups.ts";
import type { RuleGroup } from "../../inventory/rule-groups.ts";
import type { Cast } from "./cast.ts";
import { imported } from "./imported.ts";

export const shadowCopies = "f2a4b6c8d0e14f739b7d5f3a1c0e2846";

/** Rules that the tenant has written itself. */
export const storyRuleGroups = ({ cid, known, at }: Cast): readonly RuleGroup[] => {
  const now = new Date(at(25, "13:00:00"));
  return [
    imported(
      ruleGroupImporter,
      {
        id: known(shadowCopies),
        name: "Shadow copies",
        description: "Programs that delete or resize shadow copies",
        platform: "windows",
        rule_ids: ["1", "2"],
      },
      { cid, now },
    ),
    imported(
      ruleGroupImporter,
      {
        id: known("3c5e7f90a1b24d6d8e0f2a4b6c8d0e13"),
        name: "Unusual launch agents",
        platform: "mac",
        rule_ids: ["7"],
      },
      { cid, now },
    ),
  ];
};
