import type { Derivation, Field, FieldType, Scalar } from "./fields.ts";
import { canonicalIp } from "./ip.ts";
import { canonicalTimestamp } from "./timestamp.ts";

/** A JSON object, as stored and served. */
export type FilterRecord = Readonly<Record<string, unknown>>;

/**
 * The values that `record` has in the field `name`, in canonical comparable form; none for null. A
 * store fills its columns with them, so that both backends compare the same. A value of another
 * type than the table's counts as null.
 */
export function fieldValues(record: FilterRecord, name: string, field: Field): readonly Scalar[] {
  if (field.derive !== undefined) return [derived(record, field.derive)];
  const value = valueAt(record, field.path ?? name);
  if (Array.isArray(value) && field.array !== true) return [];
  const elements: readonly unknown[] = Array.isArray(value) ? value : [value];
  return elements.flatMap((element) => canonical(element, field.type) ?? []);
}

function derived(record: FilterRecord, { from, map, otherwise }: Derivation): Scalar {
  const key = String(valueAt(record, from) ?? "");
  return Object.hasOwn(map, key) ? (map[key] ?? otherwise) : otherwise;
}

function valueAt(record: FilterRecord, path: string): unknown {
  let value: unknown = record;
  for (const key of path.split(".")) {
    if (!isRecord(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

function isRecord(value: unknown): value is FilterRecord {
  return typeof value === "object" && value !== null;
}

function canonical(value: unknown, type: FieldType): Scalar | null {
  switch (type) {
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "number":
      return typeof value === "number" && Number.isFinite(value) ? value : null;
    case "string":
      return typeof value === "string" ? value : null;
    case "timestamp":
      return typeof value === "string" ? canonicalTimestamp(value) : null;
    case "ip":
      return typeof value === "string" ? canonicalIp(value) : null;
  }
}
