import type { Derivation, Field, FieldType, Scalar } from "./fields.ts";
import { canonicalIp } from "../values/ip.ts";
import { canonicalTimestamp } from "../values/timestamp.ts";

/** A JSON object, as stored and served. */
export type FilterRecord = Readonly<Record<string, unknown>>;

const none: readonly Scalar[] = [];

/**
 * The values of the field `name` in `record`, in canonical comparable form; empty for null. A store fills
 * its columns with these values, so that both backends compare the same values. A value of the wrong type
 * counts as null. The path of an array field may go through lists of objects, and collects the values of
 * all of them.
 */
export function fieldValues(record: FilterRecord, name: string, field: Field): readonly Scalar[] {
  if (field.derive !== undefined) return [derived(record, field.derive)];
  const path = field.path ?? name;
  if (field.array === true) {
    const keys = keysOf(path);
    const [first = ""] = keys;
    const values: Scalar[] = [];
    // Only nested lists are traversed, not the record itself, which may be an array of columns.
    if (Object.hasOwn(record, first)) collect(record[first], keys, 1, field.type, values);
    return values;
  }
  const value = canonical(valueAt(record, path), field.type);
  return value === null ? none : [value];
}

/** Collects the values at the path of keys that starts at index `at`. */
function collect(
  value: unknown,
  keys: readonly string[],
  at: number,
  type: FieldType,
  values: Scalar[],
): void {
  if (Array.isArray(value)) {
    for (const element of value as readonly unknown[]) collect(element, keys, at, type, values);
    return;
  }
  const key = keys[at];
  if (key === undefined) {
    const scalar = canonical(value, type);
    if (scalar !== null) values.push(scalar);
  } else if (isRecord(value) && Object.hasOwn(value, key)) {
    collect(value[key], keys, at + 1, type, values);
  }
}

function derived(record: FilterRecord, derivation: Derivation): Scalar {
  if ("count" in derivation) {
    const list = valueAt(record, derivation.count);
    return Array.isArray(list) ? list.length : 0;
  }
  const { from, map, otherwise } = derivation;
  const key = String(valueAt(record, from) ?? "");
  return Object.hasOwn(map, key) ? (map[key] ?? otherwise) : otherwise;
}

function valueAt(record: FilterRecord, path: string): unknown {
  let value: unknown = record;
  for (const key of keysOf(path)) {
    if (!isRecord(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** The cache stays small, because paths come from tables of fields. */
const splitPaths = new Map<string, readonly string[]>();

function keysOf(path: string): readonly string[] {
  let keys = splitPaths.get(path);
  if (keys === undefined) {
    keys = path.split(".");
    splitPaths.set(path, keys);
  }
  return keys;
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
