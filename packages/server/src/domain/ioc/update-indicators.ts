import { errors, type Problem } from "../../foundation/errors.ts";
import { pause } from "../../foundation/work-turns.ts";
import type { Author } from "../../records/write.ts";
import { changedIndicator, changeWarnings, type Changes } from "./changed-indicator.ts";
import type { Indicator } from "./indicators.ts";

/** A stored indicator, the changes to it, and their place in the request. */
export interface Change {
  readonly indicator: Indicator;
  readonly changes: Changes;
  readonly at: string;
}

/** Applies changes to indicators. Throws a 400 with the problems of all changes. */
export async function changedIndicators(
  changes: readonly Change[],
  author: Author,
  ignoreWarnings: boolean,
): Promise<readonly Indicator[]> {
  const indicators: Indicator[] = [];
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  for (const { indicator, changes: changed, at } of changes) {
    await pause();
    const result = changedIndicator(indicator, changed, author, at);
    if ("problems" in result) {
      problems.push(...result.problems);
      continue;
    }
    indicators.push(result.indicator);
    warnings.push(...changeWarnings(result.indicator, changed, author.now, at));
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
  if (warnings.length > 0 && !ignoreWarnings) throw errors.warnings(warnings);
  return indicators;
}
