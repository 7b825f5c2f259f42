import type { Condition, Field, Fields, Filter, Literal } from "@security-platform/fql";

/** A filter as a tree of sentences. */
export interface Explained {
  /** `all of`, `any of`; null for a condition. */
  readonly join: "all of" | "any of" | null;
  readonly text: string;
  readonly parts: readonly Explained[];
}

/** What a filter matches, in plain words. The fields must be those that the filter was checked against. */
export function explain(filter: Filter, fields: Fields): Explained {
  if (filter.kind === "everything") return { join: null, text: "every record", parts: [] };
  if (filter.kind === "condition") {
    return { join: null, text: conditionText(filter, fieldOf(filter, fields)), parts: [] };
  }
  const join = filter.kind === "and" ? "all of" : "any of";
  return { join, text: join, parts: filter.operands.map((each) => explain(each, fields)) };
}

/** The tree as one sentence: `type is "domain", and severity is "high" or "critical"`. */
export function sentenceOf({ join, text, parts }: Explained, isInside = false): string {
  if (join === null) return text;
  const word = join === "all of" ? " and " : " or ";
  const joined = parts.map((part) => sentenceOf(part, true)).join(word);
  return isInside ? `(${joined})` : joined;
}

/** Names are matched by the table's spelling first, and then without regard to case. */
function fieldOf({ property }: Condition, fields: Fields): Field | undefined {
  const name = Object.keys(fields).find((each) => each.toLowerCase() === property.toLowerCase());
  return fields[name ?? property];
}

function conditionText(condition: Condition, field: Field | undefined): string {
  const { property } = condition;
  const subject = field?.array === true ? `an element of ${property}` : property;
  const text = `${subject} ${predicateText(condition, field)}`;
  if (!condition.negated) return text;
  return field?.array === true
    ? `no element of ${property} ${predicateText(condition, field)}`
    : `${property} ${negatedText(predicateText(condition, field))}`;
}

const negatedText = (predicate: string): string => {
  if (predicate.startsWith("is ")) return `is not ${predicate.slice(3)}`;
  return `does not ${predicate.replace(/^matches/, "match").replace(/^contains/, "contain")}`;
};

function predicateText(condition: Condition, field: Field | undefined): string {
  const { operator, value } = condition;
  if (value.kind === "list") {
    const items = value.items.map((item) => valueText(item, field));
    const listed = items.length === 1 ? String(items[0]) : `one of ${items.join(", ")}`;
    if (operator === "=") return `is exactly ${listed}`;
    return `${operator === "~" ? "contains" : "matches"} ${listed}`;
  }
  const shown = valueText(value, field);
  switch (operator) {
    case "=":
      return equalityText(value, field);
    case "~":
      return `contains the words ${shown}`;
    case "*":
      return value.kind === "string" && value.value === "*"
        ? "is present"
        : `matches the pattern ${shown}`;
    case "~*":
      return `matches the pattern ${shown}, whatever its case`;
    case ">":
      return field?.type === "timestamp" ? `is after ${shown}` : `is greater than ${shown}`;
    case "<":
      return field?.type === "timestamp" ? `is before ${shown}` : `is less than ${shown}`;
    case ">=":
      return field?.type === "timestamp" ? `is ${shown} or later` : `is at least ${shown}`;
    case "<=":
      return field?.type === "timestamp" ? `is ${shown} or earlier` : `is at most ${shown}`;
  }
}

function equalityText(value: Literal, field: Field | undefined): string {
  const shown = valueText(value, field);
  if (value.kind === "null") return "is null";
  if (value.kind !== "string") return `is ${shown}`;
  const { value: text } = value;
  if (text === "") return "is null or empty";
  if (field?.type === "ip" && text.includes("/")) return `is in the network ${text}`;
  if (field?.type === "timestamp") {
    return text.startsWith("last ") || /^\d{4}-\d{2}-\d{2}$/.test(text)
      ? `is in ${shown}`
      : `is ${shown}`;
  }
  if (field?.match === "glob" && text.includes("*")) return `matches the pattern ${shown}`;
  return `is ${shown}${field?.case === "insensitive" ? ", whatever its case" : ""}`;
}

function valueText(literal: Literal, field: Field | undefined): string {
  switch (literal.kind) {
    case "null":
      return "null";
    case "boolean":
      return String(literal.value);
    case "number":
      return literal.text;
    case "string":
      return field?.type === "timestamp" ? timeText(literal.value) : `"${literal.value}"`;
  }
}

const units: Readonly<Record<string, string>> = {
  s: "second",
  m: "minute",
  h: "hour",
  d: "day",
  w: "week",
  M: "month",
  y: "year",
};

function timeText(text: string): string {
  const [, sign, amount, unit = ""] = /^now([+-])(\d+)([smhdwMy])$/.exec(text) ?? [];
  if (sign === undefined) return text.startsWith("last ") ? `the ${text}` : text;
  const named = `${amount} ${units[unit] ?? unit}${amount === "1" ? "" : "s"}`;
  return sign === "-" ? `${named} ago` : `${named} from now`;
}
