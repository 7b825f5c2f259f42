import { shown } from "./shown.ts";
import { suggestion } from "./suggestion.ts";
import type { Violation } from "./violation.ts";

type Bounds = Readonly<Record<string, unknown>>;

/** What the schema expected at the place of a finding. */
export function expectation(error: Violation): string {
  const schema = (error.parentSchema ?? {}) as Bounds;
  switch (error.keyword) {
    case "type":
      return `expected ${typeName(error.schema)}`;
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return `expected ${expectedNumber(schema)}`;
    case "minLength":
    case "maxLength":
      return `expected a text of ${range(schema["minLength"], schema["maxLength"])} characters`;
    case "minItems":
    case "maxItems":
      return `expected ${range(schema["minItems"], schema["maxItems"])} items`;
    case "minProperties":
      return `expected at least ${String(error.schema)} fields`;
    case "uniqueItems":
      return "expected items that differ from each other";
    case "pattern":
      return `expected ${described(schema) ?? `a text like ${String(error.schema)}`}`;
    case "format":
      return `expected ${described(schema) ?? formatName(String(error.schema))}`;
    case "const":
      return `expected ${JSON.stringify(error.schema)}`;
    case "maxProperties":
      return `expected at most ${String(error.schema)} fields`;
    case "propertyNames":
      return "has a field whose name is not allowed";
    case "oneOf":
    case "anyOf":
      return "fits none, or more than one, of the documented forms";
    default:
      return `breaks the rule ${error.keyword}`;
  }
}

export function expectedOneOf(allowed: readonly unknown[], actual: unknown): string {
  const names = allowed.map((value) => (value === "" ? '""' : String(value)));
  const hint = typeof actual === "string" ? suggestion(actual, names) : "";
  return `expected one of ${names.join(", ")}, got ${shown(actual)}${hint}`;
}

/** A schema may describe its pattern in its title. */
function described(schema: Bounds): string | undefined {
  return typeof schema["title"] === "string" ? schema["title"] : undefined;
}

/** The expected number in words: `an integer from 1 to 500`. */
export const expectedNumber = (schema: Bounds): string =>
  `${typeName(schema["type"] ?? "number")}${numberRange(schema)}`;

function numberRange(schema: Bounds): string {
  const low = schema["minimum"] ?? schema["exclusiveMinimum"];
  const high = schema["maximum"] ?? schema["exclusiveMaximum"];
  return low === undefined && high === undefined ? "" : ` ${range(low, high, "from ")}`;
}

function range(low: unknown, high: unknown, from = ""): string {
  if (low !== undefined && high !== undefined) {
    return low === high ? String(low) : `${from}${String(low)} to ${String(high)}`;
  }
  return low !== undefined ? `at least ${String(low)}` : `at most ${String(high)}`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: "a text",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

export function typeName(type: unknown): string {
  const types = Array.isArray(type) ? type : [type];
  return types.map((name) => typeNames[String(name)] ?? String(name)).join(" or ");
}

const formatNames: Readonly<Record<string, string>> = {
  "date-time": "an RFC 3339 timestamp such as 2026-01-31T09:30:00Z",
  uuid: "a UUID",
  email: "an e-mail address",
  uri: "a URI",
};

const formatName = (format: string): string => formatNames[format] ?? `the format ${format}`;
