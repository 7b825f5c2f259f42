import {
  compareCodePoints,
  fieldValues,
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
  keys.map(({ field }) => {
    const described = fields[field];
    return (described && fieldValues(record, field, described)[0]) ?? null;
  });

/** Compares in the same order as the store: records without a value come last. */
export function compareKeys(left: SortValues, right: SortValues, keys: readonly SortKey[]): number {
  for (const [at, { direction }] of keys.entries()) {
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
