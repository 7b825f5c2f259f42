import type { Condition, Filter, Literal, Operator, OrderOperator } from "../language/ast.ts";
import { findField, isFilterable, adviceForField, type NamedField } from "./find-field.ts";
import type { Field, Fields, FieldType, Scalar } from "./fields.ts";
import { globParts } from "../values/glob.ts";
import {
  addressOf,
  booleanOf,
  listedTextOf,
  numberOf,
  periodOf,
  textOf,
  type Operand,
} from "./literal.ts";
import { errorIn } from "../language/located-error.ts";
import { isOrder } from "../language/operator.ts";
import type { Predicate } from "./predicate.ts";
import type { FqlSyntaxError } from "../language/syntax-error.ts";
import { foldCase, textKey, wordSequence } from "../values/text.ts";

/** The context of lowering: the whole filter (for error positions), the fields and the clock. */
export interface Scope {
  readonly filter: Filter;
  readonly fields: Fields;
  readonly now: Date;
}

/** A value of a condition, with everything that determines its meaning. */
interface Target extends Operand {
  readonly scope: Scope;
  readonly condition: Condition;
}

const orderedTypes: ReadonlySet<FieldType> = new Set(["string", "number", "timestamp"]);
const onlyStars = /^\*+$/;

/**
 * Resolves the filter against the fields; relative times refer to `now`. Throws an `FqlSyntaxError`
 * for a filter that is not valid for the fields.
 */
export function lowerFilter(filter: Filter, fields: Fields, now: Date): Predicate {
  return lower(filter, { filter, fields, now });
}

function lower(filter: Filter, scope: Scope): Predicate {
  switch (filter.kind) {
    case "everything":
      return filter;
    case "condition":
      return lowerCondition(filter, scope);
    case "and":
    case "or":
      return {
        kind: filter.kind,
        operands: filter.operands.map((operand) => lower(operand, scope)),
      };
  }
}

/** Lowers one condition. Throws an `FqlSyntaxError` for its first invalid part. */
export function lowerCondition(condition: Condition, scope: Scope): Predicate {
  const match = findField(scope.fields, condition.property);
  if (match === undefined || !isFilterable(match.field)) throw fieldError(condition, scope, match);
  const { operator, value } = condition;
  const target = (literal: Literal, index: number): Target => ({
    ...match,
    scope,
    condition,
    literal,
    refusal: (reason, advice) => errorIn(scope.filter, condition, index, reason, advice),
  });
  const predicate =
    value.kind === "list"
      ? lowerList(operator, match.name, value.items.map(target))
      : lowerValue(operator, target(value, 0));
  return condition.negated ? not(predicate) : predicate;
}

function lowerList(operator: Operator, field: string, items: readonly Target[]): Predicate {
  if (operator !== "=") return anyOf(items.map((item) => lowerValue(operator, item)));
  const values: Scalar[] = [];
  const others: Predicate[] = [];
  for (const item of items) {
    const predicate = item.literal.kind === "null" ? absent(field) : equalWhole(item);
    if (predicate.kind === "equal") values.push(predicate.value);
    else others.push(predicate);
  }
  if (values.length === 0) return anyOf(others);
  return anyOf([{ kind: "any-of", field, values }, ...others]);
}

function lowerValue(operator: Operator, target: Target): Predicate {
  if (target.literal.kind === "null") {
    if (operator === "=") return absent(target.name);
    throw target.refusal("null can only be used with : and :!");
  }
  if (isOrder(operator)) return compare(operator, target);
  switch (operator) {
    case "=":
      return equal(target);
    case "*":
      return glob(target, target.field.case === "insensitive");
    case "~*":
      requireString(target);
      return glob(target, true);
    case "~":
      return contains(target);
  }
}

/** Lowers `:v`. The empty string means null or empty, so it is valid for every type. */
function equal(target: Target): Predicate {
  const { name, field, literal } = target;
  if (literal.kind === "string" && literal.value === "") return empty(name, field);
  if (field.type !== "string") return equalWhole(target);
  const fold = field.case === "insensitive";
  if (field.match === "glob" && textOf(target).includes("*")) return glob(target, fold);
  const text = listedTextOf(target);
  return { kind: "equal", field: name, value: fold ? foldCase(text) : text, fold };
}

/**
 * Lowers an item of a list. It always matches exact, whole values, even if the field's `match` and `case`
 * say otherwise.
 */
function equalWhole(target: Target): Predicate {
  const { name: field } = target;
  switch (target.field.type) {
    case "string":
      return { kind: "equal", field, value: listedTextOf(target), fold: false };
    case "number":
      return { kind: "equal", field, value: numberOf(target), fold: false };
    case "boolean":
      return { kind: "equal", field, value: booleanOf(target), fold: false };
    case "timestamp":
      return { kind: "between", field, ...periodOf(target, target.scope.now) };
    case "ip":
      return addressOf(target);
  }
}

function compare(operator: OrderOperator, target: Target): Predicate {
  if (!orderedTypes.has(target.field.type)) throw operatorError(target);
  return { kind: "compare", field: target.name, operator, value: bound(target) };
}

/** The value for an order operator. For a period it is the start. */
function bound(target: Target): Scalar {
  if (target.field.type === "number") return numberOf(target);
  if (target.field.type === "timestamp") return periodOf(target, target.scope.now).from;
  return target.field.form === undefined ? textOf(target) : listedTextOf(target);
}

/** Maximum pattern size in bytes. Databases limit patterns; the default of SQLite is 50,000 bytes. */
const longestPattern = 8_192;

/**
 * A pattern that consists only of stars matches all values of any type. A pattern without stars matches
 * itself.
 */
function glob(target: Target, fold: boolean): Predicate {
  const { name: field, literal } = target;
  if (literal.kind === "string" && onlyStars.test(literal.value)) return { kind: "present", field };
  requireString(target);
  const parts = globParts(textOf(target), fold);
  const [value = "", ...others] = parts;
  if (others.length === 0) return { kind: "equal", field, value, fold };
  if (textOf(target).length > longestPattern) {
    throw target.refusal(`a pattern has at most ${longestPattern} characters`);
  }
  return { kind: "glob", field, parts, fold };
}

function contains(target: Target): Predicate {
  requireString(target);
  const text = textOf(target);
  const needle = textKey(text);
  if (needle !== "") return { kind: "text", field: target.name, needle, words: wordSequence(text) };
  throw target.refusal("~ compares letters and digits only, and the value contains none");
}

function requireString(target: Target): void {
  if (target.field.type !== "string") throw operatorError(target);
}

function absent(field: string): Predicate {
  return not({ kind: "present", field });
}

function empty(name: string, { type }: Field): Predicate {
  if (type !== "string") return absent(name);
  return anyOf([absent(name), { kind: "equal", field: name, value: "", fold: false }]);
}

function not(operand: Predicate): Predicate {
  return operand.kind === "not" ? operand.operand : { kind: "not", operand };
}

function anyOf(operands: readonly Predicate[]): Predicate {
  const [only, ...others] = operands;
  return only !== undefined && others.length === 0 ? only : { kind: "or", operands };
}

function fieldError(
  condition: Condition,
  { filter, fields }: Scope,
  match: NamedField | undefined,
): FqlSyntaxError {
  const { property } = condition;
  return errorIn(
    filter,
    condition,
    "field",
    match === undefined
      ? `unknown field '${property}'`
      : `'${match.name}' does not support filtering`,
    adviceForField(fields, property, isFilterable),
  );
}

function operatorError({ name, field, condition, scope }: Target): FqlSyntaxError {
  const reason = `'${name}' is of type ${field.type}, which does not support ${condition.operator}`;
  const order = orderedTypes.has(field.type) ? ", > >= < <=" : "";
  const hint = `It supports :value and :!value${order}`;
  const raw = `${name}.raw`;
  const advice = Object.hasOwn(scope.fields, raw) ? { suggestion: raw, hint } : { hint };
  return errorIn(scope.filter, condition, "operator", reason, advice);
}
