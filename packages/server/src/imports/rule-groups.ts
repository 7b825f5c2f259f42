import { ruleGroups, type RuleGroup } from "../inventory/rule-groups.ts";
import { groupId } from "./group-id.ts";
import { withHistory } from "./history.ts";
import type { Importer } from "./kind.ts";

type Line = Partial<RuleGroup> & Pick<RuleGroup, "name" | "platform">;

/** Imports rule groups, one per line. Policies show changes at once. */
export const ruleGroupImporter: Importer<Line, RuleGroup> = {
  resource: ruleGroups,
  read: (line, { cid, now }) => {
    const author = line.created_by ?? "import";
    const created = line.created_timestamp ?? now.toISOString();
    const modified = line.modified_timestamp ?? created;
    return {
      record: {
        id: line.id ?? groupId(cid, ruleGroups.name, line.name),
        customer_id: cid,
        name: line.name,
        description: line.description ?? "",
        platform: line.platform,
        enabled: line.enabled ?? true,
        deleted: false,
        rule_ids: line.rule_ids ?? [],
        version: line.version ?? 1,
        comment: line.comment ?? "",
        committed_timestamp: modified,
        created_by: author,
        created_timestamp: created,
        modified_by: line.modified_by ?? author,
        modified_timestamp: modified,
      },
    };
  },
  renew: (stored, newer) => {
    const { committed_timestamp } = stored;
    const record = { ...newer.record, id: stored.id, committed_timestamp };
    const renewed = withHistory(
      stored,
      { ...newer, record },
      {
        created: ["created_by", "created_timestamp"],
        modified: ["modified_by", "modified_timestamp"],
      },
    );
    if (renewed === stored) return stored;
    return { ...renewed, committed_timestamp: renewed.modified_timestamp };
  },
};
