import { where, type Predicate } from "@security-platform/fql";
import { fqlTables, type components } from "@security-platform/spec";
import type { Kind } from "../../../records/plain/kind.ts";
import type { Author } from "../../../records/write.ts";
import type { Platform, Properties } from "./property-table.ts";

export type Policy = components["schemas"]["DataProtectionPolicy"];

const fields = fqlTables["data-protection-policies"].fields;

/** Policies protect data on the hosts of their groups, on one platform. */
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

/** Maximum number of custom policies per platform. */
export const maximumPolicies = 10_000;

/** The members in which new policies differ. */
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

/** A policy without host groups. The default policy is enabled; all others start disabled. */
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
  modified_by: parts.written.by,
});

/** The members that state who changed a policy, and when. */
export const modification = ({ actor, now }: Author) => ({
  modified_at: now.toISOString(),
  modified_by: actor,
});

/** All policies of a platform. */
export const ofPlatform = (platform: Platform): Predicate => where.equal("platform_name", platform);

/** Policies of a platform from a precedence to the end, including the default policy. */
export const fromPlace = (platform: Platform, place: number): Predicate =>
  where.all(ofPlatform(platform), where.compare("precedence", ">=", place));
