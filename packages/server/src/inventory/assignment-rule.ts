import {
  FqlSyntaxError,
  lowerFilter,
  parseFilter,
  relativeTimes,
  where,
  type Fields,
  type Predicate,
} from "@security-platform/fql";
import { hosts } from "./hosts.ts";

/** Fields that follow from group membership, so rules cannot use them. */
const fields: Fields = {
  ...hosts.fields,
  ...(hosts.fields["groups"] && { groups: { ...hosts.fields["groups"], filterable: false } }),
};

/** The former limit of filters: stored rules may have this many conditions. */
const limits = { conditions: 1_000 };

// A rule without relative times means the same at any time.
const anyTime = new Date(0);

/**
 * The condition for membership of a dynamic group; without a rule, it has no members. Throws a located
 * `FqlSyntaxError` if the rule is not a filter over hosts, or uses `groups` or relative times: membership changes
 * only with hosts and groups, not over time.
 */
export function readAssignmentRule(text: string): Predicate {
  if (text.trim() === "") return where.nothing;
  const filter = parseFilter(text, limits);
  const predicate = lowerFilter(filter, fields, anyTime);
  const [relative] = relativeTimes(filter, fields);
  if (relative === undefined) return predicate;
  throw new FqlSyntaxError({
    ...relative,
    hint: "The rule of a group supports only absolute times, such as '2026-03-01T00:00:00Z'",
  });
}
