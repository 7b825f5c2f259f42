import type { Filter } from "./ast.ts";
import type { Fields } from "./fields.ts";
import { findField } from "./find-field.ts";
import { errorIn } from "./located-error.ts";
import { lowerCondition } from "./lower.ts";
import { isRelativeTime } from "./relative-time.ts";
import { FqlSyntaxError, type FqlIssue } from "./syntax-error.ts";
import { conditionsOf } from "./visit.ts";

// Whether a filter fits its fields does not depend on the clock.
const anyTime = new Date(0);

/**
 * Where the filter does not fit the fields, in the order of its text: unknown fields, operators or
 * values that a field's type does not take. At most one issue a condition; empty when it fits.
 */
export function checkFilter(filter: Filter, fields: Fields): readonly FqlIssue[] {
  const scope = { filter, fields, now: anyTime };
  return conditionsOf(filter).flatMap((condition) => {
    try {
      lowerCondition(condition, scope);
      return [];
    } catch (error) {
      if (error instanceof FqlSyntaxError) return [issueOf(error)];
      throw error;
    }
  });
}

/**
 * Whether the filter holds a relative time, so that its meaning moves with the clock. It asks no
 * table: text such as 'now' on a string field counts too.
 */
export function usesNow(filter: Filter): boolean {
  return conditionsOf(filter).some(({ value }) =>
    (value.kind === "list" ? value.items : [value]).some(
      (literal) => literal.kind === "string" && isRelativeTime(literal.value),
    ),
  );
}

/**
 * Where conditions on timestamps hold relative times, in the order of the text. For filters that are
 * kept and have to mean the same for ever.
 */
export function relativeTimes(filter: Filter, fields: Fields): readonly FqlIssue[] {
  return conditionsOf(filter).flatMap((condition) => {
    if (findField(fields, condition.property)?.field.type !== "timestamp") return [];
    const { value } = condition;
    return (value.kind === "list" ? value.items : [value]).flatMap((literal, index) =>
      literal.kind === "string" && isRelativeTime(literal.value)
        ? [issueOf(errorIn(filter, condition, index, "a relative time is not possible here"))]
        : [],
    );
  });
}

function issueOf({ offset, excerpt, reason, suggestion, hint }: FqlSyntaxError): FqlIssue {
  return {
    offset,
    excerpt,
    reason,
    ...(suggestion !== undefined && { suggestion }),
    ...(hint !== undefined && { hint }),
  };
}
