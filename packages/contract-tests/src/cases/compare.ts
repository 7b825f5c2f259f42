import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../requests/request.ts";

export const equalValues = (left: unknown, right: unknown): boolean =>
  isDeepStrictEqual(left, right);

/** Of `names`, those whose values differ. Instants are equal however they are written. */
export const differences = (
  expected: JsonObject,
  got: JsonObject,
  names: readonly string[],
): readonly string[] => names.filter((name) => !matches(expected[name], got[name]));

/** Objects may hold more than is expected of them. */
function matches(expected: unknown, got: unknown): boolean {
  if (isInstant(expected) && isInstant(got)) return Date.parse(expected) === Date.parse(got);
  if (isObject(expected) && isObject(got)) {
    return Object.keys(expected).every((name) => matches(expected[name], got[name]));
  }
  return equalValues(expected, got);
}

const isInstant = (value: unknown): value is string =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value);

const isObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value);
