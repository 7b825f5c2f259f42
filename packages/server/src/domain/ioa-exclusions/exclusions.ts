import { createHash } from "node:crypto";
import { fqlTables, type components } from "@security-platform/spec";
import type { Resource } from "../../store/types.ts";

type Schemas = components["schemas"];

/** As stored, and as version 2 serves it; version 1 is a view of it. */
export type Exclusion = Schemas["SsIoaExclusion"];

/** How one is called in messages. */
export const exclusionNoun = "IOA exclusion";

/** What version 2 filters and sorts by. */
export const exclusionFields = fqlTables["ss-ioa-exclusions"].fields;
/** What version 1 filters and sorts by. */
export const version1Fields = fqlTables["ioa-exclusions"].fields;

/** The expressions that stand in an exclusion of either version. */
export const ownExpressions = ["ifn_regex", "cl_regex"] as const;
/** Those that only version 2 knows. */
export const ancestorExpressions = [
  "parent_ifn_regex",
  "parent_cl_regex",
  "grandparent_ifn_regex",
  "grandparent_cl_regex",
] as const;
export const expressionNames = [...ownExpressions, ...ancestorExpressions] as const;
export type ExpressionName = (typeof expressionNames)[number];

/** Exclusions from indicators of attack. */
export const exclusions: Resource<Exclusion> = {
  name: "ioa_exclusions",
  collection: "ioa_exclusions",
  // Version 1 sorts by some fields that version 2 only filters by, and by all that version 2 does.
  fields: { ...exclusionFields, ...version1Fields },
  id: "id",
  uniqueKey: likenessOf,
  indexes: ["name", "pattern_id", "pattern_name", "created_on", "last_modified"],
};

/** Equal for two exclusions that exclude the same of the same pattern on the same hosts. */
export function likenessOf(exclusion: Exclusion): string {
  const parts = [
    exclusion.pattern_id,
    exclusion.applied_globally,
    exclusion.host_groups.toSorted(),
    expressionNames.map((name) => exclusion[name] ?? null),
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

/** Whether an exclusion looks at the parent or grandparent process, of which version 1 cannot tell. */
export const looksAtAncestors = (exclusion: Exclusion): boolean =>
  ancestorExpressions.some((name) => exclusion[name] !== undefined);

const order = [
  "id",
  "name",
  "description",
  "comment",
  "pattern_id",
  "pattern_name",
  ...expressionNames,
  "detection_json",
  "host_groups",
  "applied_globally",
  "created_on",
  "created_by",
  "last_modified",
  "modified_by",
] as const satisfies readonly (keyof Exclusion)[];

type Draft = { readonly [Name in keyof Exclusion]: Exclusion[Name] | undefined };

/** The members in their one order, without those that have no value. */
export function inOrder(draft: Draft): Exclusion {
  return Object.fromEntries(
    order.flatMap((name) => (draft[name] === undefined ? [] : [[name, draft[name]]])),
  ) as unknown as Exclusion;
}
