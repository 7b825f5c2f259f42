import { errors } from "../../../errors.ts";
import { takeRecords } from "../../../records/take.ts";
import type { WritableRecords } from "../../../store/types.ts";
import { policies, type Policy } from "./policies.ts";
import type { Platform } from "./property-table.ts";

/** The policies of a platform with these ids, in the order given; one of the other is not found, either. */
export async function takePolicies(
  records: WritableRecords<Policy>,
  platform: Platform,
  ids: readonly string[],
): Promise<readonly Policy[]> {
  const stored = await takeRecords(records, policies.noun, ids);
  const others = stored.filter(({ platform_name }) => platform_name !== platform);
  if (others.length === 0) return stored;
  throw errors.recordsNotFound(
    `${policies.noun} of ${platform}`,
    others.map(({ id }) => id),
  );
}
