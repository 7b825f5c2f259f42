import type { components } from "@security-platform/spec";
import type { Transaction } from "../../store/types.ts";
import { hostGroups } from "../hosts/host-groups.ts";
import { preventionPolicies, storedPolicy } from "./policies.ts";

type HostGroup = components["schemas"]["HostGroup"];

/**
 * Policies show their host groups in full: brings those that have one of these up to date, in the
 * transaction that changed the groups. That does not count as modified.
 */
export async function refreshShownGroups(
  transaction: Transaction,
  groupIds: readonly string[],
  now: Date,
): Promise<void> {
  const policies = transaction.records(preventionPolicies);
  const concerned = await policies.takeMatching(
    { kind: "any-of", field: "group_ids", values: groupIds },
    now,
  );
  if (concerned.length === 0) return;
  const texts = await transaction.records(hostGroups).get(groupIds, now);
  const current = new Map(
    [...texts].map(([id, text]) => [id, JSON.parse(text) as HostGroup] as const),
  );
  const refreshed = concerned.map((policy) =>
    storedPolicy({
      ...policy,
      groups: policy.groups.map((group) => current.get(group.id) ?? group),
    }),
  );
  await policies.replace(refreshed, now);
}
