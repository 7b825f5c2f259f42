import type { Predicate } from "@security-platform/fql";
import { fqlTables, type components } from "@security-platform/spec";
import type { Kind } from "../../../records/plain/kind.ts";
import type { Platform, Properties } from "./property-table.ts";

export type Policy = components["schemas"]["DataProtectionPolicy"];

const fields = fqlTables["data-protection-policies"].fields;

/** What is protected, on the hosts of some groups of one platform. */
export const policies: Kind<Policy> = {
  noun: "data protection policy",
  fields,
  resource: {
    name: "policies",
    collection: "data_protection",
    fields: { ...fields, platform_name: { type: "string" } },
    id: "id",
    indexes: ["precedence", "name", "created_at", "modified_at"],
  },
};

/** As many policies as one platform can have beside its default one. */
export const policiesOfPlatform = 10_000;

/** What a new policy is told of, and what decides the rest. */
export interface PolicyParts {
  readonly id: string;
  readonly cid: string;
  readonly name: string;
  readonly description: string;
  readonly platform: Platform;
  readonly isDefault: boolean;
  readonly precedence: number;
  readonly properties: Properties;
  readonly written: { readonly at: string; readonly by: string };
}

/** A policy without host groups. A default one is always enabled, any other not yet. */
export const newPolicy = (parts: PolicyParts): Policy => ({
  id: parts.id,
  cid: parts.cid,
  name: parts.name,
  description: parts.description,
  policy_type: "data-protection",
  platform_name: parts.platform,
  is_default: parts.isDefault,
  is_enabled: parts.isDefault,
  precedence: parts.precedence,
  host_groups: [],
  policy_properties: parts.properties,
  created_at: parts.written.at,
  created_by: parts.written.by,
  modified_at: parts.written.at,
  modified_by: parts.written.by,
});

/** Who writes a policy, and when. */
export interface Authorship {
  /** API client or user. */
  readonly actor: string;
  readonly now: Date;
}

/** What a change leaves on the policy. */
export const modification = ({ actor, now }: Authorship) => ({
  modified_at: now.toISOString(),
  modified_by: actor,
});

/** Every policy of a platform. */
export const ofPlatform = (platform: Platform): Predicate => ({
  kind: "equal",
  field: "platform_name",
  value: platform,
  fold: false,
});

/** Those of a platform from a place in its order on, the default one among them. */
export const fromPlace = (platform: Platform, place: number): Predicate => ({
  kind: "and",
  operands: [
    ofPlatform(platform),
    { kind: "compare", field: "precedence", operator: ">=", value: place },
  ],
});
