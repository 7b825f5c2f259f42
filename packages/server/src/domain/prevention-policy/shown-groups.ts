import { where } from "@security-platform/fql";
import type { Reaction, RecordChange, Transaction } from "../../store/index.ts";
import { hostGroups, shownGroup, type HostGroup } from "../../inventory/host-groups.ts";
import { preventionPolicies, storedPolicy, type StoredPolicy } from "./policies.ts";
import type { RuleGroup } from "../../inventory/rule-groups.ts";

/**
 * Policies contain complete host groups, so a changed group is updated in its policies. This does not count
 * as a modification of the policy.
 */
export const showHostGroups: Reaction<HostGroup> = {
  run: async (transaction, changes, now) => {
    const ids = changedIds(changes);
    if (ids.length === 0) return;
    const texts = await transaction.records(hostGroups).get(ids, now);
    const current = new Map([...texts].map(([id, text]) => [id, shownGroup(text)] as const));
    await refresh(transaction, "group_ids", ids, now, (policy) => ({
      ...policy,
      groups: policy.groups.map((group) => current.get(group.id) ?? group),
    }));
  },
};

/** Updates changed rule groups in their policies, like host groups. */
export const showRuleGroups: Reaction<RuleGroup> = {
  run: async (transaction, changes, now) => {
    const current = new Map(changes.flatMap(({ after }) => (after ? [[after.id, after]] : [])));
    await refresh(transaction, "rule_group_ids", changedIds(changes), now, (policy) => ({
      ...policy,
      ioa_rule_groups: policy.ioa_rule_groups.map((group) => current.get(group.id) ?? group),
    }));
  },
};

/** Ids of changed records, without created and deleted ones. No policy contains a created group yet. */
const changedIds = (changes: readonly RecordChange<{ readonly id: string }>[]) =>
  changes.flatMap(({ before, after }) => (before !== null && after !== null ? after.id : []));

async function refresh(
  transaction: Transaction,
  field: "group_ids" | "rule_group_ids",
  ids: readonly string[],
  now: Date,
  refreshed: (policy: StoredPolicy) => StoredPolicy,
): Promise<void> {
  if (ids.length === 0) return;
  const policies = transaction.records(preventionPolicies);
  const affected = await policies.findForUpdate(where.anyOf(field, ids), now);
  if (affected.length === 0) return;
  await policies.replace(
    affected.map((policy) => storedPolicy(refreshed(policy))),
    now,
  );
}
