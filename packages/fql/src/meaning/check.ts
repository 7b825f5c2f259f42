import type { Filter } from "../language/ast.ts";
import type { Fields } from "./fields.ts";
import { findField } from "./find-field.ts";
import { errorIn } from "../language/located-error.ts";
import { lowerCondition } from "./lower.ts";
import { isRelativeTime } from "../values/relative-time.ts";
import { FqlSyntaxError, type FqlIssue } from "../language/syntax-error.ts";
import { conditionsOf } from "../language/visit.ts";

// The result does not depend on the clock, so the instant is arbitrary.
const anyTime = new Date(0);

/**
 * All issues of the filter in text order: unknown fields, and operators or values that the type of a field
 * does not support. At most one issue per condition; none for a valid filter.
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
 * Whether the filter contains a relative time, so that its meaning changes with the clock. It does
 * not look at field types: 'now' on a string field counts too.
 */
export function usesNow(filter: Filter): boolean {
  return conditionsOf(filter).some(({ value }) =>
    (value.kind === "list" ? value.items : [value]).some(
      (literal) => literal.kind === "string" && isRelativeTime(literal.value),
    ),
  );
}

/**
 * The positions of relative times in conditions on timestamps, in text order. For filters that are
 * stored and must not change their meaning.
 */
export function relativeTimes(filter: Filter, fields: Fields): readonly FqlIssue[] {
  return conditionsOf(filter).flatMap((condition) => {
    if (findField(fields, condition.property)?.field.type !== "timestamp") return [];
    const { value } = condition;
    return (value.kind === "list" ? value.items : [value]).flatMap((literal, index) =>
      literal.kind === "string" && isRelativeTime(literal.value)
        ? [issueOf(errorIn(filter, condition, index, "relative times are not allowed here"))]
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
