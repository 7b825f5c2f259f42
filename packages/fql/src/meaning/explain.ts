import type { Condition, Filter, Literal, OrderOperator } from "../language/ast.ts";
import { textOf } from "../language/print.ts";
import type { Field, Fields } from "./fields.ts";
import { findField } from "./find-field.ts";

/** What a filter finds, in words. A group has its parts; a condition, or the filter for everything, has its text. */
export type Explanation =
  | { readonly kind: "condition"; readonly text: string }
  | { readonly kind: "and" | "or"; readonly parts: readonly Explanation[] };

/** Explains a filter that is valid for the fields. Texts contain values as the filter has them, unescaped. */
export function explainFilter(filter: Filter, fields: Fields): Explanation {
  switch (filter.kind) {
    case "everything":
      return { kind: "and", parts: [] };
    case "condition":
      return { kind: "condition", text: explainCondition(filter, fields) };
    case "and":
    case "or": {
      const parts = filter.operands.map((operand) => explainFilter(operand, fields));
      return { kind: filter.kind, parts };
    }
  }
}

/** A statement about a field: `is 'x'`, and what follows it. */
interface Statement {
  readonly verb: keyof typeof negatives;
  readonly what: string;
}

const negatives = {
  is: "is not",
  matches: "does not match",
  contains: "does not contain",
} as const;

function explainCondition(condition: Condition, fields: Fields): string {
  const { property, negated } = condition;
  const { name, field } = findField(fields, property) ?? {
    name: property,
    field: { type: "string" },
  };
  const presence = presenceOf(condition);
  if (presence !== undefined) return `${name} ${presence}`;
  const { verb, what } = statementOf(condition, field);
  if (field.array === true) return `${negated ? "no" : "an"} entry of ${name} ${verb} ${what}`;
  return negated
    ? `${name} ${negatives[verb]} ${what}, or has no value`
    : `${name} ${verb} ${what}`;
}

/** Describes a condition that only asks whether there is a value. */
function presenceOf({ operator, negated, value }: Condition): string | undefined {
  const isNull = operator === "=" && value.kind === "null";
  const isAny =
    (operator === "*" || operator === "~*") && value.kind === "string" && /^\*+$/.test(value.value);
  if (isNull || isAny) return isNull === negated ? "has a value" : "has no value";
  if (operator !== "=" || value.kind !== "string" || value.value !== "") return undefined;
  return negated ? "has a value that is not empty" : "is empty or has no value";
}

function statementOf({ operator, value }: Condition, field: Field): Statement {
  const all = value.kind === "list" ? value.items : [value];
  const ignoresCase = field.case === "insensitive";
  const oneOf = (verb: Statement["verb"], note = ""): Statement => {
    const shown = all.slice(0, shownValues).map((literal) => printValue(literal, field));
    const rest = all.length - shown.length;
    const list = `${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
    return { verb, what: `${all.length > 1 ? "one of " : ""}${list}${note}` };
  };
  switch (operator) {
    case "~":
      return oneOf("contains", " (ignoring case, blanks and punctuation)");
    case "*":
      return oneOf("matches", ignoresCase ? globNote.ignoringCase : globNote.exact);
    case "~*":
      return oneOf("matches", globNote.ignoringCase);
    case "=": {
      // A list always compares whole values.
      if (value.kind === "list") return oneOf("is");
      const isGlob = field.match === "glob" && value.kind === "string" && value.value.includes("*");
      if (isGlob) return oneOf("matches", ignoresCase ? globNote.ignoringCase : globNote.exact);
      return oneOf("is", field.type === "string" && ignoresCase ? " (ignoring case)" : "");
    }
    default:
      return { verb: "is", what: `${orders(field, operator)} ${printBound(value, field)}` };
  }
}

/** A longer list is shortened. */
const shownValues = 10;

const globNote = { exact: " (* is any text)", ignoringCase: " (* is any text, ignoring case)" };

function orders({ type }: Field, operator: OrderOperator): string {
  if (type === "timestamp") {
    return { ">": "after", ">=": "at or after", "<": "before", "<=": "at or before" }[operator];
  }
  if (type === "number") {
    return { ">": "more than", ">=": "at least", "<": "less than", "<=": "at most" }[operator];
  }
  const [sign, equal] = [
    operator.startsWith(">") ? "behind" : "in front of",
    operator.endsWith("="),
  ];
  return `${equal ? "equal to or " : ""}${sign}, in the order of code points,`;
}

function printValue(literal: Literal, { type }: Field): string {
  const text = textOf(literal);
  if (literal.kind === "null") return "no value";
  if (literal.kind === "boolean" || type === "number" || type === "boolean") return text;
  if (type === "ip") return text.includes("/") ? `in the network ${text}` : text;
  if (type === "timestamp") return isWhole(text) ? `within ${inWords(text)}` : inWords(text);
  return `'${text}'`;
}

/** A period counts from its start. */
function printBound(value: Condition["value"], field: Field): string {
  if (value.kind === "list") return "";
  const text = textOf(value);
  if (field.type !== "timestamp") return printValue(value, field);
  return isWhole(text) ? `the start of ${inWords(text)}` : inWords(text);
}

/** Whether the time is a period, such as a day, and not an instant. */
const isWhole = (time: string): boolean =>
  !time.startsWith("now") && !/T\d\d:\d\d:\d\d/i.test(time);

const units: Readonly<Record<string, string>> = {
  s: "second",
  m: "minute",
  h: "hour",
  d: "day",
  w: "week",
  M: "month",
  y: "year",
};

/** `now-7d` is 7 days before now. */
function inWords(time: string): string {
  if (time.startsWith("last ")) return `the ${time}`;
  const [, sign, amount, unit] = /^now([+-])(\d+)([smhdwMy])$/.exec(time) ?? [];
  if (unit === undefined) return time;
  const plural = Number(amount) === 1 ? "" : "s";
  return `${Number(amount)} ${units[unit]}${plural} ${sign === "-" ? "before" : "after"} now`;
}
