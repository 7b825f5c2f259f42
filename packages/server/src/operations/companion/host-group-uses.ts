import { leaveHostGroups as leaveOfPolicies } from "../../domain/data-protection/policies/leave-host-groups.ts";
import { leaveHostGroups as leaveOfExclusions } from "../../domain/ioa-exclusions/write.ts";
import { indicatorNoun, indicators } from "../../domain/ioc/indicators.ts";
import { policyNoun, preventionPolicies } from "../../domain/prevention-policy/policies.ts";
import type { Kind, PlainRecord, Use } from "../../records/plain/kind.ts";
import type { Writing } from "../../records/write.ts";
import type { Resource } from "../../store/index.ts";

/** References to host groups. A referenced group cannot be deleted. */
export const usesOfHostGroups: readonly Use[] = [
  { kind: asKind(preventionPolicies, policyNoun), field: "group_ids" },
  {
    kind: asKind(indicators, indicatorNoun),
    field: "host_groups",
    nameOf: (indicator) => String(Reflect.get(indicator, "value")),
  },
];

/** Removes deleted host groups from all other records that name them. */
export async function leaveHostGroups(writing: Writing, ids: readonly string[]): Promise<void> {
  await leaveOfPolicies(writing, ids);
  await leaveOfExclusions(writing, ids);
}

/** The cast is safe: messages use only the id and the name of a referring record. */
function asKind<Record extends object>(resource: Resource<Record>, noun: string): Kind {
  return { resource: resource as unknown as Resource<PlainRecord>, noun };
}
