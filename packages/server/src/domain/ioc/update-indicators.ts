import { errors, type Problem } from "../../errors.ts";
import { changedIndicator, changeWarnings, type Changes } from "./changed-indicator.ts";
import type { Indicator } from "./indicators.ts";
import type { Authorship } from "./new-indicator.ts";

/** An indicator as it is stored, what is to change, and the place in the request that says so. */
export interface Change {
  readonly indicator: Indicator;
  readonly changes: Changes;
  readonly at: string;
}

/** The indicators after the changes; 400 with everything that is wrong with any of them. */
export function changeIndicators(
  wanted: readonly Change[],
  authorship: Authorship,
  ignoreWarnings: boolean,
): readonly Indicator[] {
  const changed: Indicator[] = [];
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  for (const { indicator, changes, at } of wanted) {
    const made = changedIndicator(indicator, changes, authorship, at);
    if ("problems" in made) {
      problems.push(...made.problems);
      continue;
    }
    changed.push(made.indicator);
    warnings.push(...changeWarnings(made.indicator, changes, authorship.now, at));
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
  if (warnings.length > 0 && !ignoreWarnings) throw errors.warnings(warnings);
  return changed;
}

/** Two changes to one indicator contradict each other or could be one; 400 names the second. */
export function requireDistinct(ids: readonly string[]): void {
  const places = new Map<string, number>();
  const problems: Problem[] = [];
  for (const [index, id] of ids.entries()) {
    const first = places.get(id);
    if (first === undefined) places.set(id, index);
    else {
      problems.push({
        at: `body.indicators[${index}].id`,
        id,
        message: `is the indicator of body.indicators[${first}] already; send its changes together`,
      });
    }
  }
  if (problems.length > 0) throw errors.invalidRequest(problems);
}
