import type { Fields, FileSchema, Reference } from "./kind.ts";
import { isObject } from "../../calls/is-object.ts";

/** Replaces all references in a value. `path`: the place of the reference in the value. */
export function mapReferences(
  schema: FileSchema,
  value: unknown,
  map: (reference: Reference, name: string, path: readonly string[]) => unknown,
  path: readonly string[] = [],
): unknown {
  const { "x-reference": reference, items, properties = {} } = schema;
  if (reference !== undefined) {
    return typeof value === "string" && value !== reference.literal
      ? map(reference, value, path)
      : value;
  }
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) =>
      mapReferences(items ?? {}, item, map, [...path, String(index)]),
    );
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      mapReferences(properties[name] ?? {}, member, map, [...path, name]),
    ]),
  ) satisfies Fields;
}
