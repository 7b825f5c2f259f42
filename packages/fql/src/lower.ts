import type { Condition, Filter, List, Literal, Operator } from "./ast.ts";
import { findField, isFilterable, nearestField, type NamedField } from "./find-field.ts";
import type { Field, Fields, FieldType, Scalar } from "./fields.ts";
import { globParts } from "./glob.ts";
import { noLimits } from "./limits.ts";
import { addressOf, booleanOf, listedTextOf, numberOf, periodOf, textOf } from "./literal.ts";
import { isOrder } from "./operator.ts";
import { parseFilter } from "./parser.ts";
import type { OrderOperator, Predicate } from "./predicate.ts";
import { printFilter } from "./print.ts";
import { locationOf } from "./source.ts";
import { errorOn } from "./syntax-error.ts";
import { foldCase, textKey } from "./text.ts";

interface Target extends NamedField {
  readonly condition: Condition;
  readonly now: Date;
}

const orderedTypes: ReadonlySet<FieldType> = new Set(["string", "number", "timestamp"]);
const onlyStars = /^\*+$/;

/**
 * What the filter asks of the fields, with `now` for the clock. Throws an `FqlSyntaxError` where it
 * does not fit them.
 */
export function lowerFilter(filter: Filter, fields: Fields, now: Date): Predicate {
  return lower(withLocations(filter), fields, now);
}

/** The filter with every node located; one built in code is located in its printed form. */
export function withLocations(filter: Filter): Filter {
  if (filter.kind === "everything" || locationOf(filter) !== undefined) return filter;
  return parseFilter(printFilter(filter), noLimits);
}

function lower(filter: Filter, fields: Fields, now: Date): Predicate {
  switch (filter.kind) {
    case "everything":
      return filter;
    case "condition":
      return lowerCondition(filter, fields, now);
    case "and":
    case "or":
      return {
        kind: filter.kind,
        operands: filter.operands.map((operand) => lower(operand, fields, now)),
      };
  }
}

/** What one located condition asks. Throws an `FqlSyntaxError` at the first part that does not fit. */
export function lowerCondition(condition: Condition, fields: Fields, now: Date): Predicate {
  const target = { ...targetOf(condition, fields), condition, now };
  const { operator, value } = condition;
  const asked =
    value.kind === "list"
      ? lowerList(operator, value, target)
      : lowerLiteral(operator, value, target);
  return condition.negated ? not(asked) : asked;
}

function targetOf(condition: Condition, fields: Fields): NamedField {
  const { property } = condition;
  const found = findField(fields, property);
  if (found !== undefined && isFilterable(found.field)) return found;
  const reason =
    found === undefined ? `unknown field '${property}'` : `'${found.name}' cannot be filtered by`;
  const suggestion = nearestField(fields, property, isFilterable);
  throw errorOn(condition, reason, suggestion === undefined ? {} : { suggestion });
}

function lowerList(operator: Operator, list: List, target: Target): Predicate {
  if (isOrder(operator)) {
    throw errorOn(target.condition, `${operator} takes one value, not a list`, {}, "operator");
  }
  if (operator !== "=") {
    return anyOf(list.items.map((item) => lowerLiteral(operator, item, target)));
  }
  const values: Scalar[] = [];
  const others: Predicate[] = [];
  for (const item of list.items) {
    const asked = item.kind === "null" ? absent(target.name) : equalWhole(item, target);
    if (asked.kind === "equal") values.push(asked.value);
    else others.push(asked);
  }
  if (values.length === 0) return anyOf(others);
  return anyOf([{ kind: "any-of", field: target.name, values }, ...others]);
}

function lowerLiteral(operator: Operator, literal: Literal, target: Target): Predicate {
  if (literal.kind === "null") {
    if (operator === "=") return absent(target.name);
    throw errorOn(literal, "null takes only : and :!");
  }
  if (isOrder(operator)) return compare(operator, literal, target);
  switch (operator) {
    case "=":
      return equal(literal, target);
    case "*":
      return glob(literal, target, target.field.case === "insensitive");
    case "~*":
      requireString(target);
      return glob(literal, target, true);
    case "~":
      requireString(target);
      return contains(literal, target);
  }
}

/** What `:v` asks. Where "" is null or empty, so is it the one value that every type takes. */
function equal(literal: Literal, target: Target): Predicate {
  const { name, field } = target;
  if (literal.kind === "string" && literal.value === "") return empty(name, field);
  if (field.type !== "string") return equalWhole(literal, target);
  const fold = field.case === "insensitive";
  if (field.match === "glob" && textOf(literal, target).includes("*")) {
    return glob(literal, target, fold);
  }
  const text = listedTextOf(literal, target);
  return { kind: "equal", field: name, value: fold ? foldCase(text) : text, fold };
}

/** What an item of a list asks: the exact, whole value, whatever the field's `match` and `case`. */
function equalWhole(literal: Literal, target: Target): Predicate {
  const { name } = target;
  switch (target.field.type) {
    case "string":
      return { kind: "equal", field: name, value: listedTextOf(literal, target), fold: false };
    case "number":
      return { kind: "equal", field: name, value: numberOf(literal, target), fold: false };
    case "boolean":
      return { kind: "equal", field: name, value: booleanOf(literal, target), fold: false };
    case "timestamp":
      return { kind: "between", field: name, ...periodOf(literal, target, target.now) };
    case "ip":
      return addressOf(literal, target);
  }
}

function compare(operator: OrderOperator, literal: Literal, target: Target): Predicate {
  if (!orderedTypes.has(target.field.type)) throw operatorError(target);
  return { kind: "compare", field: target.name, operator, value: ordinal(literal, target) };
}

/** What an order operator compares with: of a period, its start. */
function ordinal(literal: Literal, target: Target): Scalar {
  if (target.field.type === "number") return numberOf(literal, target);
  if (target.field.type === "timestamp") return periodOf(literal, target, target.now).from;
  return textOf(literal, target);
}

/** A pattern of stars alone asks for any value, of any type. */
function glob(literal: Literal, target: Target, fold: boolean): Predicate {
  const field = target.name;
  if (literal.kind === "string" && onlyStars.test(literal.value)) return { kind: "present", field };
  requireString(target);
  return { kind: "glob", field, parts: globParts(textOf(literal, target), fold), fold };
}

function contains(literal: Literal, target: Target): Predicate {
  const needle = textKey(textOf(literal, target));
  if (needle !== "") return { kind: "text", field: target.name, needle };
  throw errorOn(literal, "~ looks at letters and digits, and the value has none");
}

function requireString(target: Target): void {
  if (target.field.type !== "string") throw operatorError(target);
}

function operatorError({ name, field, condition }: Target): Error {
  const order = orderedTypes.has(field.type) ? ", > >= < <=" : "";
  const reason = `'${name}' is of type ${field.type}, which does not take ${condition.operator}`;
  const hint = `It takes :value and :!value${order}`;
  return errorOn(condition, reason, { hint }, "operator");
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
