import type { Predicate, Scalar } from "@security-platform/fql";

export const everything: Predicate = { kind: "everything" };

export function both(one: Predicate, other: Predicate): Predicate {
  if (one.kind === "everything") return other;
  if (other.kind === "everything") return one;
  return { kind: "and", operands: [one, other] };
}

export function anyOf(operands: readonly Predicate[]): Predicate {
  const [first] = operands;
  if (first === undefined) return { kind: "nothing" };
  return operands.length === 1 ? first : { kind: "or", operands };
}

export const not = (operand: Predicate): Predicate => ({ kind: "not", operand });

export const absent = (field: string): Predicate => not({ kind: "present", field });

/** Exactly this value, case-sensitive. */
export const equal = (field: string, value: Scalar): Predicate => ({
  kind: "equal",
  field,
  value,
  fold: false,
});

/** `from <= field < to`; null: open. One element of a list must satisfy both. */
export function within<Value extends string | number>(
  field: string,
  from: Value | null,
  to: Value | null,
): Predicate {
  if (typeof from === "string" && typeof to === "string") {
    return { kind: "between", field, from, to };
  }
  const low: Predicate =
    from === null ? everything : { kind: "compare", field, operator: ">=", value: from };
  const high: Predicate =
    to === null ? everything : { kind: "compare", field, operator: "<", value: to };
  const bounds = both(low, high);
  return bounds.kind === "everything" ? { kind: "present", field } : bounds;
}
