import type { Transaction } from "../../store/types.ts";
import { hostGroups, shownGroup } from "../../inventory/host-groups.ts";
import { preventionPolicies, storedPolicy, type StoredPolicy } from "./policies.ts";
import type { RuleGroup } from "../../inventory/rule-groups.ts";

/**
 * Policies show their host groups in full: brings those that have one of these up to date, in the
 * transaction that changed the groups. That does not count as modified.
 */
export async function refreshShownGroups(
  transaction: Transaction,
  groupIds: readonly string[],
  now: Date,
): Promise<void> {
  const texts = await transaction.records(hostGroups).get(groupIds, now);
  const current = new Map([...texts].map(([id, text]) => [id, shownGroup(text)] as const));
  await refresh(transaction, "group_ids", groupIds, now, (policy) => ({
    ...policy,
    groups: policy.groups.map((group) => current.get(group.id) ?? group),
  }));
}

/** The same for rule groups, given as they are now. */
export async function refreshShownRuleGroups(
  transaction: Transaction,
  groups: readonly RuleGroup[],
  now: Date,
): Promise<void> {
  const current = new Map(groups.map((group) => [group.id, group]));
  await refresh(transaction, "rule_group_ids", [...current.keys()], now, (policy) => ({
    ...policy,
    ioa_rule_groups: policy.ioa_rule_groups.map((group) => current.get(group.id) ?? group),
  }));
}

async function refresh(
  transaction: Transaction,
  field: "group_ids" | "rule_group_ids",
  ids: readonly string[],
  now: Date,
  refreshed: (policy: StoredPolicy) => StoredPolicy,
): Promise<void> {
  if (ids.length === 0) return;
  const policies = transaction.records(preventionPolicies);
  const concerned = await policies.takeMatching({ kind: "any-of", field, values: ids }, now);
  if (concerned.length === 0) return;
  await policies.replace(
    concerned.map((policy) => storedPolicy(refreshed(policy))),
    now,
  );
}
