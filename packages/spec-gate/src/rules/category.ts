import type { Direction } from "../change.ts";

/** What a change is about, from the one that hurts callers most to the one that hurts least. */
export const categories = [
  "operation",
  "path",
  "security",
  "input",
  "output",
  "type",
  "constraint",
  "lifecycle",
  "source",
  "check",
] as const;

export type Category = (typeof categories)[number];

/** The first pattern that matches the name of a rule decides. */
const patterns: readonly (readonly [RegExp, Category])[] = [
  [/^(?:operation|webhook|callback)-(?:removed|added)$|^removed-(?:after|before)-/, "operation"],
  [/^server-/, "path"],
  [/^(?:security-(?!scheme-(?:deprecated|reactivated))|scope-|oauth-)/, "security"],
  [/^(?:operation-id-changed|tag-|component-removed|.*-renamed$)/, "source"],
  [/deprecated|reactivated|^sunset-|^stability-/, "lifecycle"],
  [/^(?:consumer|contract|version|approval)-/, "check"],
  [/^(?:required-|parameter-|part-header-|request-body-|empty-value-|paging-|filter-)/, "input"],
  [/^(?:response-|success-|error-|link-)/, "output"],
  [/^media-type-|^encoding-|^xml-/, "type"],
  [/^type-|^null-|^format-|^alternatives?-|^discriminator-|^could-not/, "type"],
];

/** The category of a rule. A member counts as what its direction makes of it. */
export function categoryOf(rule: string, direction: Direction): Category {
  if (/^property-(?:removed|added|became)/.test(rule)) {
    return direction === "request" ? "input" : "output";
  }
  return patterns.find(([pattern]) => pattern.test(rule))?.[1] ?? "constraint";
}
