import { errors } from "../../../foundation/errors.ts";
import type { WrittenRecords } from "../../../records/write.ts";
import { policies, type Policy } from "./policies.ts";
import type { Platform } from "./property-table.ts";

/**
 * Locks policies of a platform and returns them in the order of `ids`. 404 also for a policy of another
 * platform.
 */
export async function lockPolicies(
  records: WrittenRecords<Policy>,
  platform: Platform,
  ids: readonly string[],
): Promise<readonly Policy[]> {
  const stored = await records.getForUpdate(ids, policies.noun);
  const others = stored.filter(({ platform_name }) => platform_name !== platform);
  if (others.length === 0) return stored;
  throw errors.recordsNotFound(
    `${policies.noun} of ${platform}`,
    others.map(({ id }) => id),
  );
}
