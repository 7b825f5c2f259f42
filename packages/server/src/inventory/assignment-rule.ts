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

/** Groups decide the members that say which groups a host is in, so no rule can ask for them. */
const fields: Fields = {
  ...hosts.fields,
  ...(hosts.fields["groups"] && { groups: { ...hosts.fields["groups"], filterable: false } }),
};

/** Stored rules may have as many conditions as filters once could. */
const limits = { conditions: 1_000 };

// A rule without relative times means the same at any time.
const anyTime = new Date(0);

/**
 * Who belongs to a dynamic group: nobody without a rule. Throws a located `FqlSyntaxError`: for what is no filter over hosts,
 * for relative times (membership changes when hosts or groups do, never by itself), and for `groups`.
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
