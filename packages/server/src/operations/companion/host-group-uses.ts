import { exclusionNoun, exclusions } from "../../domain/ioa-exclusions/exclusions.ts";
import { indicatorNoun, indicators } from "../../domain/ioc/indicators.ts";
import { policies } from "../../domain/data-protection/policies/policies.ts";
import { policyNoun, preventionPolicies } from "../../domain/prevention-policy/policies.ts";
import type { Kind, PlainRecord, Use } from "../../records/plain/kind.ts";
import type { Resource } from "../../store/types.ts";

/** References to host groups from all collections. A referenced group cannot be deleted. */
export const usesOfHostGroups: readonly Use[] = [
  { kind: asKind(preventionPolicies, policyNoun), field: "group_ids" },
  { kind: policies as Kind, field: "host_groups" },
  { kind: asKind(exclusions, exclusionNoun), field: "host_groups" },
  {
    kind: asKind(indicators, indicatorNoun),
    field: "host_groups",
    nameOf: (indicator) => String(Reflect.get(indicator, "value")),
  },
];

/** The cast is safe: messages use only the id and the name of a referring record. */
function asKind<Record extends object>(resource: Resource<Record>, noun: string): Kind {
  return { resource: resource as unknown as Resource<PlainRecord>, noun };
}
