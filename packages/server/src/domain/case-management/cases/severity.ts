import type { components } from "@security-platform/spec";
import type { Problem } from "../../../foundation/errors.ts";

type Level = components["schemas"]["CaseSeverityLevel"];

/** The levels, the lowest first. `alone`: the number of a level that is set without a number. */
const levels: readonly { readonly level: Level; readonly from: number; readonly alone: number }[] =
  [
    { level: "informational", from: 1, alone: 10 },
    { level: "low", from: 20, alone: 20 },
    { level: "medium", from: 40, alone: 40 },
    { level: "high", from: 60, alone: 60 },
    { level: "critical", from: 80, alone: 80 },
  ];

export interface Severity {
  readonly severity: number;
  readonly severity_info: { readonly level: Level };
}

export const levelOf = (severity: number): Level =>
  levels.findLast(({ from }) => severity >= from)?.level ?? "informational";

/** The severity that a number, a level or both express; null for neither, problems if they disagree. */
export function severityOf(
  { severity, severity_info }: Partial<Severity>,
  at: string,
): { readonly severity: Severity | null; readonly problems: readonly Problem[] } {
  const level = severity_info?.level;
  if (severity === undefined) {
    const namedLevel = levels.find((each) => each.level === level);
    if (namedLevel === undefined) return { severity: null, problems: [] };
    const alone = { severity: namedLevel.alone, severity_info: { level: namedLevel.level } };
    return { severity: alone, problems: [] };
  }
  const actual = levelOf(severity);
  if (level === undefined || level === actual) {
    return { severity: { severity, severity_info: { level: actual } }, problems: [] };
  }
  const message = `${severity} is ${actual}, not ${level}; send one of severity and severity_info`;
  return { severity: null, problems: [{ at: `${at}.severity_info.level`, message }] };
}
