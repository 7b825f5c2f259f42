import { isDeepStrictEqual } from "node:util";
import type { ResourceRecipe } from "../recipes/recipe.ts";
import type { JsonObject } from "../requests/request.ts";

export const equalValues = (left: unknown, right: unknown): boolean =>
  isDeepStrictEqual(left, right);

/**
 * The records or other content of an answer, without the members that change with other records.
 */
export function steady(
  value: unknown,
  { restless = [] }: Pick<ResourceRecipe, "restless">,
): unknown {
  if (restless.length === 0 || !Array.isArray(value)) return value;
  return value.map((record: unknown) =>
    isObject(record)
      ? Object.fromEntries(Object.entries(record).filter(([name]) => !restless.includes(name)))
      : record,
  );
}

/** Members with the time or number of changes. */
export const changeMarks = /^(modified|updated|last_modified|last_updated|version)/;

/** The members of `names` whose values differ. Timestamps are compared as points in time. */
export const differences = (
  expected: JsonObject,
  got: JsonObject,
  names: readonly string[],
): readonly string[] => names.filter((name) => !matches(expected[name], got[name]));

/** Whether a value has all that is expected. Objects may have more members, also inside lists. */
function matches(expected: unknown, got: unknown): boolean {
  if (isInstant(expected) && isInstant(got)) return Date.parse(expected) === Date.parse(got);
  if (Array.isArray(expected) && Array.isArray(got)) {
    return (
      expected.length === got.length && expected.every((each, index) => matches(each, got[index]))
    );
  }
  if (isObject(expected) && isObject(got)) {
    return Object.keys(expected).every((name) => matches(expected[name], got[name]));
  }
  return equalValues(expected, got);
}

const isInstant = (value: unknown): value is string =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value);

const isObject = (value: unknown): value is JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value);
