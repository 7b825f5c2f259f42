import type { components } from "@security-platform/spec";
import type { Problem } from "../../foundation/errors.ts";
import { defined } from "../../records/defined.ts";
import type { Author } from "../../records/write.ts";
import { expirationProblems, readExpiration } from "./expiration.ts";
import { inOrder, type Indicator } from "./indicators.ts";
import type { NewIndicator } from "./new-indicator.ts";
import { effectiveActions, ruleProblems } from "./rules.ts";
import { readIndicatorValue } from "./values.ts";
import { expirationWarnings, valueWarnings } from "./warnings.ts";

type Schemas = components["schemas"];
/** Changes to one indicator. Null clears a member; absent members stay unchanged. */
export type Changes = Omit<Schemas["IndicatorUpdateInput"], "id"> &
  Partial<Pick<Schemas["IndicatorUpdateInput"], "id">>;

/** The changed indicator, or all problems of the changes. `at`: the place of the changes in the request. */
export function changedIndicator(
  indicator: Indicator,
  changes: Changes,
  { actor, now }: Pick<Author, "actor" | "now">,
  at: string,
): NewIndicator {
  const expiration =
    changes.expiration === undefined ? indicator.expiration : readExpiration(changes.expiration);
  const draft = {
    type: indicator.type,
    platforms: changes.platforms ?? indicator.platforms,
    action: changes.action ?? indicator.action,
    mobile_action: changes.mobile_action ?? indicator.mobile_action,
    severity: changes.severity === undefined ? indicator.severity : (changes.severity ?? ""),
    applied_globally:
      changes.applied_globally ?? (!hasHostGroups(changes) && indicator.applied_globally),
    host_groups: changes.host_groups ?? groupsKept(indicator, changes),
  };
  const problems = [
    ...identityProblems(indicator, changes, at),
    ...ruleProblems(draft, at),
    ...(changes.expiration === undefined ? [] : expirationProblems(expiration, now, at)),
  ].map((problem) => ({ ...problem, id: indicator.id }));
  if (problems.length > 0) return { problems };
  const { source, expiration: _old, ...kept } = indicator;
  return {
    indicator: inOrder({
      ...kept,
      ...draft,
      ...effectiveActions(draft),
      description: replaced(indicator.description, changes.description) ?? "",
      ...defined({
        source: replaced(source, changes.source),
        expiration,
      }),
      tags: changes.tags ?? indicator.tags,
      metadata: changedMetadata(indicator.metadata, changes.metadata),
      modified_by: actor,
      modified_on: now.toISOString(),
    }),
  };
}

/** Warnings about changed members only, because earlier requests accepted the others. */
export function changeWarnings(
  indicator: Indicator,
  changes: Changes,
  now: Date,
  at: string,
): readonly Problem[] {
  const changesAction = changes.action !== undefined || changes.mobile_action !== undefined;
  return [
    ...(changesAction ? valueWarnings(indicator, at) : []),
    ...(changes.expiration === undefined ? [] : expirationWarnings(indicator, now, at)),
  ].map((problem) => ({ ...problem, id: indicator.id }));
}

/** Problems of a changed type or value, which cannot change. A request may repeat the stored ones. */
function identityProblems(
  indicator: Indicator,
  { type, value }: Changes,
  at: string,
): readonly Problem[] {
  const problems: Problem[] = [];
  if (type !== undefined && type !== indicator.type) {
    problems.push({
      at: `${at}.type`,
      message: `cannot change; this indicator is of type ${indicator.type}`,
    });
  }
  if (value !== undefined) {
    const read = readIndicatorValue(indicator.type, value);
    if (!("value" in read) || read.value !== indicator.value) {
      problems.push({ at: `${at}.value`, message: `cannot change; it is ${indicator.value}` });
    }
  }
  return problems;
}

/** Host groups alone take the place of all hosts, because some clients cannot send false. */
const hasHostGroups = ({ host_groups = [] }: Changes): boolean => host_groups.length > 0;

/** An indicator that applies to all hosts has no host groups. */
const groupsKept = ({ host_groups }: Indicator, { applied_globally }: Changes) =>
  applied_globally === true ? [] : host_groups;

/** Null clears a member. */
const replaced = (
  before: string | undefined,
  change: string | null | undefined,
): string | undefined => (change === undefined ? before : (change ?? undefined));

function changedMetadata(
  metadata: Indicator["metadata"],
  change: Changes["metadata"],
): Indicator["metadata"] {
  if (change?.filename === undefined) return metadata;
  const { filename: _old, ...rest } = metadata;
  return change.filename === null ? rest : { ...rest, filename: change.filename };
}
