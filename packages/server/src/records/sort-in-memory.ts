import {
  compareCodePoints,
  fieldValues,
  foldCase,
  type Field,
  type Fields,
  type FilterRecord,
  type Scalar,
  type SortKey,
} from "@security-platform/fql";

/** The sort values of a record; null for values that it does not have. */
export type SortValues = readonly (Scalar | null)[];

export const keysOf = (
  record: FilterRecord,
  keys: readonly SortKey[],
  fields: Fields,
): SortValues =>
  keys.flatMap(({ field }) => {
    const described = fields[field];
    const value = (described && fieldValues(record, field, described)[0]) ?? null;
    if (!ignoresCase(described)) return [value];
    return [typeof value === "string" ? foldCase(value) : value, value];
  });

const ignoresCase = (field: Field | undefined): boolean =>
  field?.case === "insensitive" && field.type === "string" && field.filterable !== false;

/**
 * The directions of the values of `keysOf`. A field whose filters ignore case has two values: in lower case, and as it
 * is.
 */
export const directionsOf = (
  keys: readonly SortKey[],
  fields: Fields,
): readonly SortKey["direction"][] =>
  keys.flatMap(({ field, direction }) =>
    ignoresCase(fields[field]) ? [direction, direction] : [direction],
  );

/** Compares in the same order as the store: records without a value come last. */
export function compareKeys(
  left: SortValues,
  right: SortValues,
  directions: readonly SortKey["direction"][],
): number {
  for (const [at, direction] of directions.entries()) {
    const order = compare(left[at] ?? null, right[at] ?? null, direction);
    if (order !== 0) return order;
  }
  return 0;
}

function compare(
  left: Scalar | null,
  right: Scalar | null,
  direction: SortKey["direction"],
): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  const order =
    typeof left === "number" && typeof right === "number"
      ? left - right
      : compareCodePoints(String(left), String(right));
  return direction === "asc" ? order : -order;
}
