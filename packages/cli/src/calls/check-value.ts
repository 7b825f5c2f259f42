import { nearest } from "@security-platform/fql";
import type { JsonSchema } from "@security-platform/spec";
import { placeOf, type SchemaProblem } from "@security-platform/spec/schemas";
import { isDeep, mostLevels } from "../input/is-deep.ts";
import { hasType, resolved, schemas, type Schema } from "./schema.ts";

/**
 * Why a value does not match its schema, as the server would say it; empty if it matches. `name`: that of the value;
 * the messages begin with the place.
 */
export function findProblems(
  schema: JsonSchema,
  value: unknown,
  name: string,
): readonly SchemaProblem[] {
  // The validator follows the value recursively.
  if (isDeep(value)) {
    const message = `${name}: has more than ${mostLevels} nested levels, which no server reads`;
    return [{ path: [], message }];
  }
  return schemas
    .validator(schema)(value)
    .map(({ path, message }) => ({ path, message: `${placeOf(name, path)}: ${message}` }));
}

/** Maximum number of listed problems: every record of a body may have the same one. */
const mostListed = 10;

/** One message for all problems of a value; undefined if there is none. */
export function problemOf(schema: JsonSchema, value: unknown, name: string): string | undefined {
  const problems = findProblems(schema, value, name);
  if (problems.length === 0) return undefined;
  const rest = problems.length - mostListed;
  return [
    ...problems.slice(0, mostListed).map(({ message }) => message),
    ...(rest > 0 ? [`and ${rest} more problems`] : []),
  ].join("\n");
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
