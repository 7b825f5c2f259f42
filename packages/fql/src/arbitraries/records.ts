import * as fc from "fast-check";
import type { Arbitrary } from "fast-check";
import type { FilterRecord } from "../meaning/field-values.ts";
import type { Field, Fields } from "../meaning/fields.ts";
import { arbitraryText, arbitraryValue } from "./values.ts";

/** A record that has a value, null or no member at the path of every field. */
export function arbitraryRecord(fields: Fields): Arbitrary<FilterRecord> {
  const contents = new Map<string, Arbitrary<unknown>>();
  for (const [name, field] of Object.entries(fields)) {
    if (field.derive === undefined) setOnce(contents, field.path ?? name, content(field));
  }
  for (const { derive } of Object.values(fields)) {
    if (derive === undefined || "count" in derive) continue;
    const keys = Object.keys(derive.map);
    setOnce(contents, derive.from, fc.oneof(fc.constantFrom("", ...keys), arbitraryText));
  }
  const paths = [...contents.keys()];
  return fc
    .tuple(...contents.values())
    .map((values) => nest(paths.map((path, index) => [path, values[index]])));
}

/** Sets a value unless the path has one: two fields may read the same path, such as a field and its `.raw`. */
function setOnce<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (!map.has(key)) map.set(key, value);
}

function content(field: Field): Arbitrary<unknown> {
  const value = arbitraryValue(field);
  return fc.oneof(
    { arbitrary: fc.constantFrom(null, undefined), weight: 1 },
    { arbitrary: field.array === true ? fc.array(value, { maxLength: 3 }) : value, weight: 4 },
  );
}

/** Turns `[["a.b", 1]]` into `{ a: { b: 1 } }` and omits undefined values. */
function nest(entries: readonly (readonly [string, unknown])[]): FilterRecord {
  const record: Record<string, unknown> = {};
  for (const [path, value] of entries) {
    if (value !== undefined) set(record, path.split("."), value);
  }
  return record;
}

function set(record: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = "", ...rest] = path;
  if (rest.length === 0) {
    record[key] = value;
    return;
  }
  const inner = { ...(record[key] as FilterRecord | undefined) };
  set(inner, rest, value);
  record[key] = inner;
}
