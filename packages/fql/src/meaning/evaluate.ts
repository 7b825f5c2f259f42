import type { Filter } from "../language/ast.ts";
import { fieldValues, type FilterRecord } from "./field-values.ts";
import type { Fields, Scalar } from "./fields.ts";
import { indexOf, matchesGlob } from "../values/glob.ts";
import { lowerFilter } from "./lower.ts";
import type { Compare, Leaf, Predicate } from "./predicate.ts";
import { compareCodePoints, foldCase, textKey, wordSequence } from "../values/text.ts";

/**
 * Whether `record` matches the filter at the instant `now`. Throws an `FqlSyntaxError` for a filter
 * that is not valid for the fields.
 */
export function matches(filter: Filter, record: FilterRecord, fields: Fields, now: Date): boolean {
  return evaluate(lowerFilter(filter, fields, now), record, fields);
}

/** Whether `record` satisfies a predicate that was lowered for the same fields. */
export function evaluate(predicate: Predicate, record: FilterRecord, fields: Fields): boolean {
  switch (predicate.kind) {
    case "everything":
      return true;
    case "nothing":
      return false;
    case "and":
      return predicate.operands.every((operand) => evaluate(operand, record, fields));
    case "or":
      return predicate.operands.some((operand) => evaluate(operand, record, fields));
    case "not":
      return !evaluate(predicate.operand, record, fields);
    default:
      return holds(predicate, record, fields);
  }
}

function holds(leaf: Leaf, record: FilterRecord, fields: Fields): boolean {
  const field = fields[leaf.field];
  if (field === undefined)
    throw new RangeError(`the predicate uses the unknown field '${leaf.field}'`);
  return fieldValues(record, leaf.field, field).some((value) => holdsOf(leaf, value));
}

function holdsOf(leaf: Leaf, value: Scalar): boolean {
  switch (leaf.kind) {
    case "present":
      return true;
    case "equal":
      return (leaf.fold ? foldCase(String(value)) : value) === leaf.value;
    case "any-of":
      return leaf.values.includes(value);
    case "compare":
      return compare(leaf, value);
    case "between":
      return order(value, leaf.from) >= 0 && order(value, leaf.to) < 0;
    case "cidr":
      return order(value, leaf.low) >= 0 && order(value, leaf.high) <= 0;
    case "glob":
      return matchesGlob(leaf.parts, leaf.fold ? foldCase(String(value)) : String(value));
    case "text":
      return indexOf(textKey(String(value)), leaf.needle) >= 0;
    case "words": {
      const sequence = wordSequence(String(value));
      const words = new Set(sequence);
      return (
        leaf.words.every((word) => words.has(word)) &&
        leaf.phrases.every((phrase) => spaced(sequence).includes(spaced(phrase)))
      );
    }
  }
}

const spaced = (words: readonly string[]): string => ` ${words.join(" ")} `;

function compare({ operator, value: bound }: Compare, value: Scalar): boolean {
  const difference = order(value, bound);
  switch (operator) {
    case "<":
      return difference < 0;
    case "<=":
      return difference <= 0;
    case ">":
      return difference > 0;
    case ">=":
      return difference >= 0;
  }
}

function order(left: Scalar, right: Scalar): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  return compareCodePoints(String(left), String(right));
}
