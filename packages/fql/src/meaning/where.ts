import type { Scalar } from "./fields.ts";
import { foldCase, textKey, wordSequence } from "../values/text.ts";
import type { OrderOperator } from "../language/ast.ts";
import type { Equal, Predicate } from "./predicate.ts";

const everything: Predicate = { kind: "everything" };
const nothing: Predicate = { kind: "nothing" };

function all(...operands: readonly Predicate[]): Predicate {
  const needed = operands.filter(({ kind }) => kind !== "everything");
  if (needed.some(({ kind }) => kind === "nothing")) return nothing;
  const [first = everything] = needed;
  return needed.length > 1 ? { kind: "and", operands: needed } : first;
}

function any(...operands: readonly Predicate[]): Predicate {
  const possible = operands.filter(({ kind }) => kind !== "nothing");
  if (possible.some(({ kind }) => kind === "everything")) return everything;
  const [first = nothing] = possible;
  return possible.length > 1 ? { kind: "or", operands: possible } : first;
}

/** Constructors of predicates, for code that selects records without a filter text. */
export const where = {
  everything,
  nothing,
  /** All operands hold; without operands, everything matches. */
  all,
  /** Matches if at least one operand does; without operands, nothing matches. */
  any,
  not: (operand: Predicate): Predicate => ({ kind: "not", operand }),
  /** Exactly this value, case-sensitive. On an array field: one element. */
  equal: (field: string, value: Scalar): Equal => ({ kind: "equal", field, value, fold: false }),
  /** This text, ignoring case. */
  equalFolded: (field: string, text: string): Equal => ({
    kind: "equal",
    field,
    value: foldCase(text),
    fold: true,
  }),
  /** One of these values, case-sensitive; without values, nothing matches. */
  anyOf: (field: string, values: readonly Scalar[]): Predicate => {
    const [first] = values;
    if (first === undefined) return nothing;
    return values.length === 1
      ? { kind: "equal", field, value: first, fold: false }
      : { kind: "any-of", field, values };
  },
  compare: (field: string, operator: OrderOperator, value: Scalar): Predicate => ({
    kind: "compare",
    field,
    operator,
    value,
  }),
  /**
   * Contains each of these words, and each of these phrases, which are words in sequence. All are words of
   * `wordSequence`. Without words, nothing matches.
   */
  words: (
    field: string,
    words: readonly string[],
    phrases: readonly (readonly string[])[] = [],
  ): Predicate =>
    words.length + phrases.flat().length === 0
      ? nothing
      : { kind: "words", field, words, phrases: phrases.filter(({ length }) => length > 0) },
  /**
   * The letters and digits of the field contain those of the text without a gap. The text must have at
   * least one.
   */
  text: (field: string, text: string): Predicate => ({
    kind: "text",
    field,
    needle: textKey(text),
    words: wordSequence(text),
  }),
  /** The value is not null; an array is not empty. */
  present: (field: string): Predicate => ({ kind: "present", field }),
  /** Null; for an array, also empty. */
  absent: (field: string): Predicate => ({
    kind: "not",
    operand: { kind: "present", field },
  }),
} as const;
