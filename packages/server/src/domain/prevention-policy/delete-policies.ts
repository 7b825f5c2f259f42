import { errors } from "../../errors.ts";
import { takeRecords } from "../../records/take.ts";
import type { WritableRecords } from "../../store/types.ts";
import { isDefault, policyNoun, type StoredPolicy } from "./policies.ts";
import { closeGaps } from "./precedence.ts";

/** Deletes disabled policies for good. Throws what deletePreventionPolicies answers to others. */
export async function deletePolicies(
  records: WritableRecords<StoredPolicy>,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  const policies = await takeRecords(records, policyNoun, ids);
  const kept = policies.flatMap((policy) => {
    const { id, name, platform_name, enabled } = policy;
    if (isDefault(policy)) {
      return [{ at: "", id, message: `the default policy of ${platform_name} cannot be deleted` }];
    }
    if (!enabled) return [];
    return [{ at: "", id, message: `policy ${id}, ${name}, is enabled; disable it first` }];
  });
  if (kept.length > 0) throw errors.conflict(kept);
  await records.remove(ids, now);
  for (const platform of new Set(policies.map(({ platform_name }) => platform_name))) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction, at most five platforms
    await closeGaps(records, platform, now);
  }
}
