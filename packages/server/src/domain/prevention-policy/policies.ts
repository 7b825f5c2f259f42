import { randomBytes } from "node:crypto";
import { foldCase } from "@security-platform/fql";
import { fqlTables, type components } from "@security-platform/spec";
import type { Platform } from "./setting-definitions.ts";
import type { Resource } from "../../store/types.ts";

type Schemas = components["schemas"];
export type PreventionPolicy = Schemas["PreventionPolicy"];

/** As stored: the served policy and its hidden members. */
export interface StoredPolicy extends PreventionPolicy {
  /** Place in the order of the platform, from 1 without gaps; `lastPlace` for the default policy. */
  readonly precedence: number;
  /** Ids of `groups`. */
  readonly group_ids: readonly string[];
  /** Ids of `ioa_rule_groups`. */
  readonly rule_group_ids: readonly string[];
}

/** How one is called in messages. */
export const policyNoun = "prevention policy";

/** What default policies are called, one on each platform. */
export const defaultPolicyName = "platform_default";

/** As many policies as one call of setPreventionPoliciesPrecedence can put in order. */
export const policiesOfPlatform = 5_000;

/** Precedence of default policies: after all others, whatever their platform. */
export const lastPlace = 1_000_000;

/** What callers may filter and sort policies by. */
export const policyFields = fqlTables["prevention-policies"].fields;

/** What sensors detect and prevent, on the hosts of some groups of one platform. */
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

/** A platform has each name once, in any case. */
export function nameKey({
  platform_name,
  name,
}: Pick<PreventionPolicy, "platform_name" | "name">): string {
  return `${platform_name}:${foldCase(name)}`;
}

export const newPolicyId = (): string => randomBytes(16).toString("hex");

export const isDefault = ({ precedence }: StoredPolicy): boolean => precedence === lastPlace;

/** The record of a policy: its members in their one order, the hidden ones filled in. */
export function storedPolicy(
  policy: Omit<StoredPolicy, "group_ids" | "rule_group_ids">,
): StoredPolicy {
  return {
    id: policy.id,
    cid: policy.cid,
    name: policy.name,
    description: policy.description,
    platform_name: policy.platform_name,
    enabled: policy.enabled,
    groups: policy.groups,
    ioa_rule_groups: policy.ioa_rule_groups,
    prevention_settings: policy.prevention_settings,
    created_by: policy.created_by,
    created_timestamp: policy.created_timestamp,
    modified_by: policy.modified_by,
    modified_timestamp: policy.modified_timestamp,
    precedence: policy.precedence,
    group_ids: policy.groups.map(({ id }) => id),
    rule_group_ids: policy.ioa_rule_groups.map(({ id }) => id),
  };
}

/** Who writes a policy, and when. */
export interface Authorship {
  /** API client or user. */
  readonly actor: string;
  readonly now: Date;
}

/** What a change leaves on the policy. */
export const modification = ({ actor, now }: Authorship) => ({
  modified_by: actor,
  modified_timestamp: now.toISOString(),
});

/** Every policy of a platform but its default one. */
export const ordinaryOf = (platform: Platform) =>
  ({
    kind: "and",
    operands: [
      { kind: "equal", field: "platform_name", value: platform, fold: false },
      { kind: "compare", field: "precedence", operator: "<", value: lastPlace },
    ],
  }) as const;
