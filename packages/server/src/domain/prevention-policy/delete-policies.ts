import { errors } from "../../foundation/errors.ts";
import type { Writing } from "../../records/write.ts";
import { isDefault, policyNoun, preventionPolicies } from "./policies.ts";
import { closeGaps } from "./precedence.ts";

/** Permanently deletes disabled policies. Throws the errors of deletePreventionPolicies for all others. */
export async function deletePolicies(writing: Writing, ids: readonly string[]): Promise<void> {
  const records = writing.records(preventionPolicies);
  const policies = await records.getForUpdate(ids, policyNoun);
  const conflicts = policies.flatMap((policy) => {
    const { id, name, platform_name, enabled } = policy;
    if (isDefault(policy)) {
      return [{ at: "", id, message: `the default policy of ${platform_name} cannot be deleted` }];
    }
    if (!enabled) return [];
    return [{ at: "", id, message: `policy ${id}, ${name}, is enabled; disable it first` }];
  });
  if (conflicts.length > 0) throw errors.conflict(conflicts);
  await records.remove(ids);
  for (const platform of new Set(policies.map(({ platform_name }) => platform_name))) {
    await closeGaps(records.stored, platform, writing.now);
  }
}
