import type { Scalar } from "./fields.ts";

/** `<`, `<=`, `>`, `>=`: chronological, numeric or in code-point order; never true of null. */
export type OrderOperator = "<" | "<=" | ">" | ">=";

/**
 * A filter with every name, type and relative time resolved: what a backend compiles.
 *
 * Two-valued: a leaf that meets null is false, and `not` of it true. On an array field each leaf
 * except `present` means "any element". `field` is the canonical name of the table; values have the
 * canonical form of `fieldValues`.
 */
export type Predicate =
  | { readonly kind: "everything" }
  | { readonly kind: "nothing" }
  | { readonly kind: "and" | "or"; readonly operands: readonly Predicate[] }
  | { readonly kind: "not"; readonly operand: Predicate }
  | Leaf;

export type Leaf = Present | Equal | AnyOf | Compare | Between | Cidr | Glob | Text;

/** Not null; of an array: not empty. */
export interface Present {
  readonly kind: "present";
  readonly field: string;
}

/** `fold`: `value` is folded already and compares with the folded field (see `foldCase`). */
export interface Equal {
  readonly kind: "equal";
  readonly field: string;
  readonly value: Scalar;
  readonly fold: boolean;
}

/** Exact and case-sensitive, whatever the field's `match` and `case`. At least one value. */
export interface AnyOf {
  readonly kind: "any-of";
  readonly field: string;
  readonly values: readonly Scalar[];
}

export interface Compare {
  readonly kind: "compare";
  readonly field: string;
  readonly operator: OrderOperator;
  readonly value: Scalar;
}

/** `from <= x < to`: a timestamp at the precision of its literal. */
export interface Between {
  readonly kind: "between";
  readonly field: string;
  readonly from: string;
  readonly to: string;
}

/** `low <= x <= high`, in canonical addresses of one family. */
export interface Cidr {
  readonly kind: "cidr";
  readonly field: string;
  readonly low: string;
  readonly high: string;
}

/**
 * The literal pieces between the stars, anchored at both ends: `a*b` is `["a", "b"]`, `*a` is
 * `["", "a"]`. At least two; only the first and the last may be empty. `fold`: they are folded already.
 */
export interface Glob {
  readonly kind: "glob";
  readonly field: string;
  readonly parts: readonly string[];
  readonly fold: boolean;
}

/** `needle`, a `textKey`, occurs in the field's `textKey`. Never empty. */
export interface Text {
  readonly kind: "text";
  readonly field: string;
  readonly needle: string;
}
