import * as fc from "fast-check";
import type { Arbitrary } from "fast-check";
import type { Field, Fields } from "../meaning/fields.ts";

const names = [
  "name",
  "value",
  "tags",
  "score",
  "seen_at",
  "address",
  "meta.size",
  "meta.file.name",
];

const plainField: Arbitrary<Field> = fc.record(
  {
    type: fc.constantFrom("string", "number", "boolean", "timestamp", "ip"),
    array: fc.boolean(),
    sortable: fc.boolean(),
  },
  { requiredKeys: ["type"] },
);

const stringField: Arbitrary<Field> = fc.record(
  {
    type: fc.constant("string"),
    array: fc.boolean(),
    match: fc.constantFrom("exact", "glob"),
    case: fc.constantFrom("sensitive", "insensitive"),
  },
  { requiredKeys: ["type"] },
);

const listedField: Field = { type: "string", values: ["low", "High", "it's"] };

const level: Fields = {
  level: listedField,
  level_number: {
    type: "number",
    derive: { from: "level", map: { low: 10, High: 70 }, otherwise: 0 },
  },
};

/**
 * A small random table: every field type, arrays, globs, case folding, dotted names, a `.raw`
 * field, a field with listed values and a field derived from it.
 */
export function arbitraryFields(): Arbitrary<Fields> {
  const column = fc.oneof(plainField, stringField);
  return fc
    .tuple(fc.dictionary(fc.constantFrom(...names), column, { minKeys: 1 }), fc.boolean())
    .map(([columns, withRaw]) => {
      const fields: Fields = { ...columns, ...level };
      if (!withRaw || fields["name"]?.array === true) return fields;
      return { ...fields, "name.raw": { type: "string", path: "name" } };
    });
}
