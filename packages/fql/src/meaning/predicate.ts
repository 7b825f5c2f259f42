import type { OrderOperator } from "../language/ast.ts";
import type { Scalar } from "./fields.ts";

/**
 * A filter with all names, types and relative times resolved, ready for a backend to compile.
 *
 * The logic has two values: a leaf is false for null, and its `not` is true. On an array field each
 * leaf except `present` means "any element". `field` is the table's canonical name; values have the
 * canonical form of `fieldValues`.
 */
export type Predicate =
  | { readonly kind: "everything" }
  | { readonly kind: "nothing" }
  | { readonly kind: "and" | "or"; readonly operands: readonly Predicate[] }
  | { readonly kind: "not"; readonly operand: Predicate }
  | Leaf;

export type Leaf = Present | Equal | AnyOf | Compare | Between | Cidr | Glob | Text | Words;

/** The value is not null; an array is not empty. */
export interface Present {
  readonly kind: "present";
  readonly field: string;
}

/** `fold`: `value` is already folded and is compared with the folded field (see `foldCase`). */
export interface Equal {
  readonly kind: "equal";
  readonly field: string;
  readonly value: Scalar;
  readonly fold: boolean;
}

/** Exact and case-sensitive, regardless of the field's `match` and `case`. At least one value. */
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
 * The literal pieces between the stars, anchored at both ends: `a*b` is `["a", "b"]`, `*a` is `["", "a"]`.
 * There are at least two pieces; only the first and the last may be empty. `fold`: the pieces are already
 * folded.
 */
export interface Glob {
  readonly kind: "glob";
  readonly field: string;
  readonly parts: readonly string[];
  readonly fold: boolean;
}

/**
 * The `textKey` of the field contains `needle`. `needle` is a `textKey` and never empty. `words` is the
 * `wordSequence` of the same text. It does not change the meaning; an index of words may use it.
 */
export interface Text {
  readonly kind: "text";
  readonly field: string;
  readonly needle: string;
  readonly words: readonly string[];
}

/**
 * The field contains each of the words in any order, and each of the phrases, which are words in sequence.
 * All are words of `wordSequence`. FQL cannot express this predicate; it is for other searches.
 */
export interface Words {
  readonly kind: "words";
  readonly field: string;
  readonly words: readonly string[];
  readonly phrases: readonly (readonly string[])[];
}
