import type { Condition, Filter, Literal, Operator } from "./ast.ts";
import { findField, isFilterable, nearestField, type NamedField } from "./find-field.ts";
import type { Field, Fields, FieldType, Scalar } from "./fields.ts";
import { globParts } from "./glob.ts";
import {
  addressOf,
  booleanOf,
  listedTextOf,
  numberOf,
  periodOf,
  textOf,
  type Operand,
} from "./literal.ts";
import { errorIn } from "./located-error.ts";
import { isOrder } from "./operator.ts";
import type { OrderOperator, Predicate } from "./predicate.ts";
import type { FqlSyntaxError } from "./syntax-error.ts";
import { foldCase, textKey } from "./text.ts";

/** The fields and the clock that a filter is lowered for, and the whole filter, for its errors. */
export interface Scope {
  readonly filter: Filter;
  readonly fields: Fields;
  readonly now: Date;
}

/** A value of a condition, and all that its meaning depends on. */
interface Target extends Operand {
  readonly scope: Scope;
  readonly condition: Condition;
}

const orderedTypes: ReadonlySet<FieldType> = new Set(["string", "number", "timestamp"]);
const onlyStars = /^\*+$/;

/**
 * What the filter asks of the fields, with `now` for the clock. Throws an `FqlSyntaxError` where it
 * does not fit them.
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

/** What one condition asks. Throws an `FqlSyntaxError` at its first part that does not fit. */
export function lowerCondition(condition: Condition, scope: Scope): Predicate {
  const found = findField(scope.fields, condition.property);
  if (found === undefined || !isFilterable(found.field)) throw fieldError(condition, scope, found);
  const { operator, value } = condition;
  const target = (literal: Literal, index: number): Target => ({
    ...found,
    scope,
    condition,
    literal,
    refusal: (reason, advice) => errorIn(scope.filter, condition, index, reason, advice),
  });
  const asked =
    value.kind === "list"
      ? lowerList(operator, found.name, value.items.map(target))
      : lowerValue(operator, target(value, 0));
  return condition.negated ? not(asked) : asked;
}

function lowerList(operator: Operator, field: string, items: readonly Target[]): Predicate {
  if (operator !== "=") return anyOf(items.map((item) => lowerValue(operator, item)));
  const values: Scalar[] = [];
  const others: Predicate[] = [];
  for (const item of items) {
    const asked = item.literal.kind === "null" ? absent(field) : equalWhole(item);
    if (asked.kind === "equal") values.push(asked.value);
    else others.push(asked);
  }
  if (values.length === 0) return anyOf(others);
  return anyOf([{ kind: "any-of", field, values }, ...others]);
}

function lowerValue(operator: Operator, target: Target): Predicate {
  if (target.literal.kind === "null") {
    if (operator === "=") return absent(target.name);
    throw target.refusal("null takes only : and :!");
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

/** What `:v` asks. The empty string asks for null or empty, and so fits every type. */
function equal(target: Target): Predicate {
  const { name, field, literal } = target;
  if (literal.kind === "string" && literal.value === "") return empty(name, field);
  if (field.type !== "string") return equalWhole(target);
  const fold = field.case === "insensitive";
  if (field.match === "glob" && textOf(target).includes("*")) return glob(target, fold);
  const text = listedTextOf(target);
  return { kind: "equal", field: name, value: fold ? foldCase(text) : text, fold };
}

/** What an item of a list asks: the exact, whole value, whatever the field's `match` and `case`. */
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

/** What an order operator compares with: of a period, its start. */
function bound(target: Target): Scalar {
  if (target.field.type === "number") return numberOf(target);
  if (target.field.type === "timestamp") return periodOf(target, target.scope.now).from;
  return textOf(target);
}

/** A pattern of stars alone asks for any value, of any type; one without a star for itself. */
function glob(target: Target, fold: boolean): Predicate {
  const { name: field, literal } = target;
  if (literal.kind === "string" && onlyStars.test(literal.value)) return { kind: "present", field };
  requireString(target);
  const parts = globParts(textOf(target), fold);
  const [value = "", ...others] = parts;
  return others.length === 0
    ? { kind: "equal", field, value, fold }
    : { kind: "glob", field, parts, fold };
}

function contains(target: Target): Predicate {
  requireString(target);
  const needle = textKey(textOf(target));
  if (needle !== "") return { kind: "text", field: target.name, needle };
  throw target.refusal("~ looks at letters and digits, and the value has none");
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
  found: NamedField | undefined,
): FqlSyntaxError {
  const { property } = condition;
  const suggestion = nearestField(fields, property, isFilterable);
  return errorIn(
    filter,
    condition,
    "field",
    found === undefined ? `unknown field '${property}'` : `'${found.name}' cannot be filtered by`,
    suggestion === undefined ? {} : { suggestion },
  );
}

function operatorError({ name, field, condition, scope }: Target): FqlSyntaxError {
  const reason = `'${name}' is of type ${field.type}, which does not take ${condition.operator}`;
  const order = orderedTypes.has(field.type) ? ", > >= < <=" : "";
  const hint = `It takes :value and :!value${order}`;
  const raw = `${name}.raw`;
  const advice = Object.hasOwn(scope.fields, raw) ? { suggestion: raw, hint } : { hint };
  return errorIn(scope.filter, condition, "operator", reason, advice);
}
