import { foldCase, where, type Predicate } from "@security-platform/fql";
import { fqlTables, type components } from "@security-platform/spec";
import type { Platform } from "./setting-definitions.ts";
import { memberOrder } from "../../records/member-order.ts";
import type { Author } from "../../records/write.ts";
import type { Resource } from "../../store/index.ts";

type Schemas = components["schemas"];
export type PreventionPolicy = Schemas["PreventionPolicy"];

/** The stored record: the policy as served, and hidden members. */
export interface StoredPolicy extends PreventionPolicy {
  /** The place in the order of the platform, from 1 without gaps; `lastPlace` for the default policy. */
  readonly precedence: number;
  /** Ids of `groups`. */
  readonly group_ids: readonly string[];
  /** Ids of `ioa_rule_groups`. */
  readonly rule_group_ids: readonly string[];
}

/** The name of a record in messages. */
export const policyNoun = "prevention policy";

/** Name of the default policy of every platform. */
export const defaultPolicyName = "platform_default";

/**
 * Maximum number of custom policies per platform. One call of setPreventionPoliciesPrecedence can list them
 * all.
 */
export const maximumPolicies = 5_000;

/** Precedence of default policies, after all custom policies. */
export const lastPlace = 1_000_000;

/** The fields that callers may filter and sort policies by. */
export const policyFields = fqlTables["prevention-policies"].fields;

/** A policy defines what sensors detect and prevent on the hosts of its groups. */
export const preventionPolicies: Resource<StoredPolicy> = {
  name: "prevention_policies",
  collection: "prevention_policy",
  fields: {
    ...policyFields,
    group_ids: { type: "string", array: true },
    rule_group_ids: { type: "string", array: true },
  },
  id: "id",
  hidden: ["precedence", "group_ids", "rule_group_ids"],
  uniqueKey: nameKey,
  indexes: ["precedence", "name", "created_timestamp", "modified_timestamp"],
};

/** Names are unique within a platform, ignoring case. */
export function nameKey({
  platform_name,
  name,
}: Pick<PreventionPolicy, "platform_name" | "name">): string {
  return `${platform_name}:${foldCase(name)}`;
}

export const isDefault = ({ precedence }: StoredPolicy): boolean => precedence === lastPlace;

const inOrder = memberOrder<StoredPolicy>("PreventionPolicy", preventionPolicies.hidden);

/** The stored record of a policy, with ordered members and the hidden members. */
export const storedPolicy = (
  policy: Omit<StoredPolicy, "group_ids" | "rule_group_ids">,
): StoredPolicy =>
  inOrder({
    ...policy,
    group_ids: policy.groups.map(({ id }) => id),
    rule_group_ids: policy.ioa_rule_groups.map(({ id }) => id),
  });

/** The members that state who changed a policy, and when. */
export const modification = ({ actor, now }: Author) => ({
  modified_by: actor,
  modified_timestamp: now.toISOString(),
});

/** All policies of a platform except the default policy. */
export const customPoliciesOf = (platform: Platform): Predicate =>
  where.all(where.equal("platform_name", platform), where.compare("precedence", "<", lastPlace));
