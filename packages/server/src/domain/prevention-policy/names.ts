import type { Problem } from "../../errors.ts";
import type { WritableRecords } from "../../store/types.ts";
import { nameKey, type StoredPolicy } from "./policies.ts";

/** A policy as it is to be stored, and the place in the request that describes it. */
export interface Wanted {
  readonly policy: StoredPolicy;
  readonly at: string;
}

/** Names that the platform would have twice, among those wanted or with policies that stay as they are. */
export async function nameProblems(
  records: WritableRecords<StoredPolicy>,
  wanted: readonly Wanted[],
): Promise<readonly Problem[]> {
  const holders = await records.findDuplicates(wanted.map(({ policy }) => nameKey(policy)));
  const changing = new Set(wanted.map(({ policy }) => policy.id));
  const places = new Map<string, string>();
  return wanted.flatMap(({ policy, at }) => {
    const key = nameKey(policy);
    const holder = holders.get(key);
    const earlier = places.get(key);
    places.set(key, earlier ?? at);
    const named = `${policy.platform_name} has a policy called ${policy.name} already`;
    if (holder !== undefined && !changing.has(holder)) {
      const message = `${named}, ${holder}; choose another name, or update that one`;
      return [{ at: `${at}.name`, id: holder, message }];
    }
    if (earlier === undefined) return [];
    return [{ at: `${at}.name`, message: `${named}, ${earlier}; choose another name` }];
  });
}
