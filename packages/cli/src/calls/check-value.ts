import { nearest } from "@security-platform/fql";
import type { JsonSchema } from "@security-platform/spec";
import { didYouMean } from "../options/read-choice.ts";
import { isObject } from "./is-object.ts";
import { hasType, resolved, typesOf, type Schema } from "./schema.ts";

/** Why a value does not match its schema. */
export interface ValueProblem {
  /** Leads to the value, or to the unknown or missing member. */
  readonly path: readonly string[];
  readonly message: string;
}

/** The message of `findProblem` for a value at this place. */
export const problemOf = (
  reference: JsonSchema,
  value: unknown,
  place: string,
): string | undefined => findProblem(reference, value, [place])?.message;

/**
 * Why a value does not match its schema; undefined if it matches. Values that only the server can judge match.
 * `path`: that of the value; messages name it.
 */
export function findProblem(
  reference: JsonSchema,
  value: unknown,
  path: readonly string[],
): ValueProblem | undefined {
  const schema = resolved(reference);
  const place = path.join(".");
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives !== undefined) return problemOfAll(alternatives, value, path);
  for (const each of schema.allOf ?? []) {
    const problem = findProblem(each, value, path);
    if (problem !== undefined) return problem;
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    const message = `${place} cannot be ${show(value)}. Expected ${expectation(schema)}.${suggestion(schema, value)}`;
    return { path, message };
  }
  const isOfType = schema.type === undefined || typesOf(schema).some((type) => isA(type, value));
  if (!isOfType || !isInRange(schema, value)) {
    // Never repeat a secret.
    const shown = schema.format === "password" ? "this value" : show(value);
    return { path, message: `${place} cannot be ${shown}. Expected ${expectation(schema)}.` };
  }
  if (Array.isArray(value)) return problemOfList(schema, value, path);
  return isObject(value) ? problemOfObject(schema, value, path) : undefined;
}

/** The problem of the alternative that has the type of the value. */
function problemOfAll(
  alternatives: readonly JsonSchema[],
  value: unknown,
  path: readonly string[],
): ValueProblem | undefined {
  const problems = alternatives.map((each) => findProblem(each, value, path));
  if (problems.includes(undefined)) return undefined;
  const index = alternatives.findIndex((each) =>
    typesOf(resolved(each)).some((type) => isA(type, value)),
  );
  return problems[Math.max(index, 0)];
}

function problemOfList(
  { items, minItems = 0, maxItems = Infinity }: Schema,
  list: readonly unknown[],
  path: readonly string[],
): ValueProblem | undefined {
  if (list.length < minItems || list.length > maxItems) {
    const expected = maxItems === Infinity ? `at least ${minItems}` : `${minItems} to ${maxItems}`;
    return {
      path,
      message: `${path.join(".")} has ${list.length} entries. Expected ${expected}.`,
    };
  }
  if (items === undefined) return undefined;
  for (const [index, item] of list.entries()) {
    const problem = findProblem(items, item, [...path, String(index)]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOfObject(
  schema: Schema,
  object: Readonly<Record<string, unknown>>,
  path: readonly string[],
): ValueProblem | undefined {
  const { properties = {}, required = [], additionalProperties, unevaluatedProperties } = schema;
  const isClosed = (additionalProperties ?? unevaluatedProperties) === false;
  for (const [name, value] of Object.entries(object)) {
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (member === undefined && isClosed) {
      const message = `${path.join(".")} has no member ${name}.${didYouMean(name, Object.keys(properties))}`;
      return { path: [...path, name], message };
    }
    const problem = member && findProblem(member, value, [...path, name]);
    if (problem !== undefined) return problem;
  }
  const missing = required.find((name) => !Object.hasOwn(object, name));
  if (missing === undefined) return undefined;
  return { path: [...path, missing], message: `${path.join(".")}.${missing} is missing` };
}

function isA(type: string, value: unknown): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "null":
      return value === null;
    case "object":
      return isObject(value);
    default:
      return typeof value === type;
  }
}

function isInRange(schema: Schema, value: unknown): boolean {
  const { minimum = -Infinity, maximum = Infinity, minLength = 0, maxLength = Infinity } = schema;
  if (typeof value === "number") return value >= minimum && value <= maximum;
  if (typeof value !== "string") return true;
  const { length } = [...value];
  return length >= minLength && length <= maxLength && matches(schema, value);
}

function matches({ pattern }: Schema, text: string): boolean {
  return pattern === undefined || new RegExp(pattern, "u").test(text);
}

const show = (value: unknown): string => {
  const text = typeof value === "string" ? `'${value}'` : (JSON.stringify(value) ?? String(value));
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
};

function suggestion({ enum: choices = [] }: Schema, value: unknown): string {
  return typeof value === "string" ? didYouMean(value, choices.map(String)) : "";
}

/** What a value of this schema is: `an integer from 1 to 500`. */
export function expectation(schema: Schema): string {
  const { enum: choices, items, pattern, format, oneOf, anyOf } = schema;
  const alternatives = oneOf ?? anyOf;
  if (alternatives !== undefined) {
    return alternatives.map((each) => expectation(resolved(each))).join(", or ");
  }
  if (choices !== undefined) return `one of ${choices.join(", ")}`;
  if (hasType(schema, "integer")) return `an integer${range(schema)}`;
  if (hasType(schema, "number")) return `a number${range(schema)}`;
  if (hasType(schema, "boolean")) return "true or false";
  if (hasType(schema, "array")) {
    return items === undefined ? "a list" : `a list, each ${expectation(resolved(items))}`;
  }
  if (hasType(schema, "object")) return "an object";
  if (format !== undefined && format !== "password") return formats[format] ?? `a ${format}`;
  if (pattern !== undefined) return `a text that matches ${pattern}`;
  return `a text${lengths(schema)}`;
}

const formats: Readonly<Record<string, string>> = {
  uuid: "a UUID",
  uri: "a URL",
  "date-time": "a time such as 2026-01-31T12:00:00Z",
  email: "an e-mail address",
  binary: "a file",
};

function range({ minimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? "" : ` of at most ${maximum}`;
}

function lengths({ minLength = 0, maxLength }: Schema): string {
  if (maxLength !== undefined) return ` of ${minLength} to ${maxLength} characters`;
  return minLength > 0 ? ` of at least ${minLength} characters` : "";
}

/** The value that a text stands for. A text that is none of the schema stays a text, and `problemOf` reports it. */
export function valueOf(schema: Schema, text: string): unknown {
  const isNumber = hasType(schema, "integer", "number") && /^-?\d+(\.\d+)?$/.test(text);
  if (hasType(schema, "string")) {
    // Of both types, a number is meant unless it would look different.
    return isNumber && String(Number(text)) === text ? Number(text) : text;
  }
  if (isNumber) return Number(text);
  if (hasType(schema, "boolean") && /^(true|false)$/.test(text)) return text === "true";
  if (hasType(schema, "null") && text === "null") return null;
  return text;
}

/** The member of an object schema; the error names the nearest. */
export function memberOf(schema: Schema, name: string, place: string): Schema {
  const { properties = {} } = schema;
  const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (member !== undefined) return resolved(member);
  if (typeof schema.additionalProperties === "object") return resolved(schema.additionalProperties);
  const names = Object.keys(properties);
  if (names.length === 0) return {};
  // The beginning of a name is too different from it to be near.
  const near = nearest(name, names) ?? names.find((each) => each.startsWith(name));
  throw new RangeError(
    `${place} has no member ${name}. ` +
      (near === undefined ? `Expected one of ${names.join(", ")}.` : `Did you mean ${near}?`),
  );
}
