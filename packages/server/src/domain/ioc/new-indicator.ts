import { defined } from "../../records/defined.ts";
import type { Author } from "../../records/write.ts";
import { newLongIdentifier } from "../../foundation/identifiers.ts";
import type { Problem } from "../../foundation/errors.ts";
import { expirationProblems, readExpiration } from "./expiration.ts";
import { inOrder, type Indicator, type IndicatorInput, type IndicatorType } from "./indicators.ts";
import { effectiveActions, ruleProblems } from "./rules.ts";
import { readIndicatorValue } from "./values.ts";

export type NewIndicator =
  { readonly indicator: Indicator } | { readonly problems: readonly Problem[] };

/**
 * Builds an indicator from an input, or returns all problems of the input. `at`: the place of the input in
 * the request.
 */
export function newIndicator(
  input: IndicatorInput,
  { actor, now }: Pick<Author, "actor" | "now">,
  at: string,
): NewIndicator {
  const read = readIndicatorValue(input.type, input.value);
  const expiration = readExpiration(input.expiration);
  const draft = {
    type: input.type,
    platforms: input.platforms,
    action: input.action,
    mobile_action: input.mobile_action,
    severity: input.severity ?? "",
    applied_globally: input.applied_globally ?? false,
    host_groups: input.host_groups ?? [],
  };
  const problems = [
    ...("problem" in read ? [{ at: `${at}.value`, message: read.problem }] : []),
    ...ruleProblems(draft, at),
    ...expirationProblems(expiration, now, at),
  ];
  if (problems.length > 0 || !("value" in read)) return { problems };
  const current = now.toISOString();
  return {
    indicator: inOrder({
      ...draft,
      ...effectiveActions(draft),
      description: input.description ?? "",
      ...defined({
        source: input.source,
        expiration,
      }),
      id: newLongIdentifier(),
      value: read.value,
      tags: input.tags ?? [],
      metadata: { ...unknownMetadata(input.type), ...input.metadata },
      expired: false,
      deleted: false,
      from_parent: false,
      created_by: actor,
      created_on: current,
      modified_by: actor,
      modified_on: current,
    }),
  };
}

/** Metadata of a file about which nothing is known; other types have no metadata. */
export function unknownMetadata(type: IndicatorType): Indicator["metadata"] {
  return type === "sha256" || type === "md5" ? { av_hits: -1, signed: false } : {};
}
