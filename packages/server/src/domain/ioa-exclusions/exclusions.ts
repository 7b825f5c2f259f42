import { createHash } from "node:crypto";
import { fqlTables, type components } from "@security-platform/spec";
import { memberOrder } from "../../records/member-order.ts";
import type { Resource } from "../../store/index.ts";

type Schemas = components["schemas"];

/** The stored record, in the format of version 2. Version 1 is a view of it. */
export type Exclusion = Schemas["SsIoaExclusion"];

/** The name of a record in messages. */
export const exclusionNoun = "IOA exclusion";

/** Filter and sort fields of version 2. */
export const exclusionFields = fqlTables["ss-ioa-exclusions"].fields;
/** Filter and sort fields of version 1. */
export const version1Fields = fqlTables["ioa-exclusions"].fields;

/** Expressions of both versions. */
export const ownExpressions = ["ifn_regex", "cl_regex"] as const;
/** Expressions that only version 2 has. */
export const ancestorExpressions = [
  "parent_ifn_regex",
  "parent_cl_regex",
  "grandparent_ifn_regex",
  "grandparent_cl_regex",
] as const;
export const expressionNames = [...ownExpressions, ...ancestorExpressions] as const;
export type ExpressionName = (typeof expressionNames)[number];

/** An exclusion stops a pattern (an indicator of attack) from detecting certain processes. */
export const exclusions: Resource<Exclusion> = {
  name: "ioa_exclusions",
  collection: "ioa_exclusions",
  // Version 1 sorts by all fields of version 2, including some that version 2 uses only in filters.
  fields: { ...exclusionFields, ...version1Fields },
  id: "id",
  uniqueKey: duplicateKey,
  indexes: ["name", "pattern_id", "pattern_name", "created_on", "last_modified"],
};

/** A key that is equal for exclusions with equal pattern, expressions and host groups. */
export function duplicateKey(exclusion: Exclusion): string {
  const parts = [
    exclusion.pattern_id,
    exclusion.applied_globally,
    exclusion.host_groups.toSorted(),
    expressionNames.map((name) => exclusion[name] ?? null),
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

/** Whether an exclusion has expressions for ancestor processes, which version 1 lacks. */
export const hasAncestorExpressions = (exclusion: Exclusion): boolean =>
  ancestorExpressions.some((name) => exclusion[name] !== undefined);

/** Orders the members as in the document; absent members are left out. */
export const inOrder = memberOrder<Exclusion>("SsIoaExclusion");
