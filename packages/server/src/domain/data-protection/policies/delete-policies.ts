import { errors } from "../../../foundation/errors.ts";
import type { Writing } from "../../../records/write.ts";
import { closeGaps } from "./order.ts";
import { policies, type Policy } from "./policies.ts";
import type { Platform } from "./property-table.ts";
import { lockPolicies } from "./lock-policies.ts";

/**
 * Permanently deletes disabled policies of a platform and returns them as they were. Throws the errors of
 * entities.policy.delete.v2 for all others.
 */
export async function deletePolicies(
  writing: Writing,
  platform: Platform,
  ids: readonly string[],
): Promise<readonly Policy[]> {
  const records = writing.records(policies.resource);
  const deleted = await lockPolicies(records, platform, ids);
  const conflicts = deleted.flatMap(({ id, name, is_default, is_enabled }) => {
    if (is_default) {
      return [{ at: "", id, message: `the default policy of ${platform} cannot be deleted` }];
    }
    if (!is_enabled) return [];
    return [{ at: "", id, message: `policy ${id}, ${name}, is enabled; disable it first` }];
  });
  if (conflicts.length > 0) throw errors.conflict(conflicts);
  await records.remove(ids);
  const first = Math.min(...deleted.map(({ precedence }) => precedence));
  await closeGaps(records.stored, platform, first, writing.now);
  return deleted;
}
