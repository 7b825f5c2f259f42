import type { components } from "@security-platform/spec";

export type Severity = components["schemas"]["VulnerabilitySeverity"];

/** Severities from the lowest to the highest. */
export const severities: readonly Severity[] = [
  "unknown",
  "none",
  "low",
  "medium",
  "high",
  "critical",
];

/** Negative if `left` is more severe. */
export function worstFirst(left: Severity, right: Severity): number {
  return severities.indexOf(right) - severities.indexOf(left);
}
