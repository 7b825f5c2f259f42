import { errors } from "../../../errors.ts";
import type { Transaction } from "../../../store/types.ts";
import { closeGaps } from "./order.ts";
import { policies, type Authorship, type Policy } from "./policies.ts";
import type { Platform } from "./property-table.ts";
import { takePolicies } from "./take-policies.ts";

/**
 * Deletes disabled policies of a platform for good, and gives them as they were. Throws what
 * entities.policy.delete.v2 answers to others.
 */
export async function deletePolicies(
  transaction: Transaction,
  platform: Platform,
  ids: readonly string[],
  { now }: Authorship,
): Promise<readonly Policy[]> {
  const records = transaction.records(policies.resource);
  const taken = await takePolicies(records, platform, ids);
  const kept = taken.flatMap(({ id, name, is_default, is_enabled }) => {
    if (is_default) {
      return [{ at: "", id, message: `the default policy of ${platform} cannot be deleted` }];
    }
    if (!is_enabled) return [];
    return [{ at: "", id, message: `policy ${id}, ${name}, is enabled; disable it first` }];
  });
  if (kept.length > 0) throw errors.conflict(kept);
  await records.remove(ids, now);
  const first = Math.min(...taken.map(({ precedence }) => precedence));
  await closeGaps(records, platform, first, now);
  return taken;
}
