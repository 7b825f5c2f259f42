import type { Finding } from "../change.ts";
import { groupBy } from "../group-by.ts";

/** Maximum number of places in a note; further ones are only counted. */
const mostPlaces = 5;

/** Why a client compiles despite a breaking change, by rule. */
const reasons: readonly (readonly [rules: RegExp, reason: string])[] = [
  [
    /^(?:max|min|maximum|minimum|pattern|format|multiple-of|unique-items|contains)\b/,
    "types have no limits, patterns and formats; the values are refused, or come, at run time",
  ],
  [
    /^(?:enum|extensible-enum|values|constant)/,
    "code that hands a value on compiles with any list of values; code that branches on it does not know the new ones",
  ],
  [
    /^(?:security|scope|oauth|server)/,
    "types do not hold who may call and where; calls are refused, or not reached, at run time",
  ],
  [
    /^(?:filter|paging|parameter-serialization|default|encoding|content-)/,
    "the type of a text or number does not say how the server reads it",
  ],
  [
    /^(?:success-status|error-status|response-header|media-type|link|callback|webhook)/,
    "the client of the check reads bodies in JSON, not statuses, headers and other forms",
  ],
  [
    /^(?:sunset|removed-|operation-id|deprecat|stability|version|example)/,
    "types hold no dates and names of operations",
  ],
];

const unused = "the client of the check does not use these places in a way that types restrict";

/** Notes on breaking changes that cause no compile error, with their places and reasons. */
export function unseenNotes(changes: readonly Finding[]): readonly string[] {
  const groups = groupBy(
    changes,
    ({ rule }) => reasons.find(([rules]) => rules.test(rule))?.[1] ?? unused,
  );
  return [...groups].map(([reason, group]) => {
    const counts = [...groupBy(group, ({ rule }) => rule)]
      .map(([rule, { length }]) => `${rule} (${length})`)
      .join(", ");
    const places = [...new Set(group.map(({ place }) => place))];
    const more = places.length - mostPlaces;
    const named = places.slice(0, mostPlaces).join("; ") + (more > 0 ? `; and ${more} more` : "");
    return `breaking, although the client compiles: ${counts}. Why: ${reason}. Where: ${named}`;
  });
}
