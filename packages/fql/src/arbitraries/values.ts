import * as fc from "fast-check";
import type { Arbitrary } from "fast-check";
import type { Field, FieldType, Scalar } from "../meaning/fields.ts";

/** Pass this as `now`, because the random timestamps are close to it. */
export const arbitraryNow = new Date("2024-03-31T12:00:00.000Z");

// A small set of characters, so that filters often match records. It contains difficult characters: wildcards
// of LIKE and GLOB, quotes, letters that fold, code points beyond the surrogates.
const characters = [..."aAbB1*%_?[]\\'\" -.éÉßſΣςσ中\uFFFD𝒳𐐀𐐨"];
const words = [
  "",
  "node-1",
  "Node 1",
  "NODE_1",
  "null",
  "true",
  "50",
  "now",
  "ΟΔΟΣ",
  "İI",
  "line\nbreak",
];
const numbers = [-7, -1, -0.5, 0, 0.25, 1, 2, 50, 70, 1_000_000_000_000];
const instants = [
  "2023-12-31T23:59:59",
  "2024-02-29T00:00:00",
  "2024-03-24T12:00:00",
  "2024-03-30T23:59:59",
  "2024-03-31T12:00:00",
  "2024-03-31T12:00:01",
];
const fractions = ["", ".5", ".001", ".000000001", ".999999999"];
const addresses = [
  "10.0.0.1",
  "10.0.0.255",
  "10.0.1.0",
  "192.0.2.1",
  "255.255.255.255",
  "::",
  "::1",
  "2001:db8::1",
  "2001:DB8:0:0:1::",
  "::ffff:10.0.0.1",
];

/** Short text from a small set of characters. */
export const arbitraryText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...words),
  fc.string({ unit: fc.constantFrom(...characters), maxLength: 4 }),
);

const timestamps = fc
  .tuple(
    fc.constantFrom(...instants),
    fc.constantFrom(...fractions),
    fc.constantFrom("Z", "+05:30"),
  )
  .map((parts) => parts.join(""));

const valuesByType: Readonly<Record<FieldType, Arbitrary<Scalar>>> = {
  string: arbitraryText,
  number: fc.constantFrom(...numbers),
  boolean: fc.boolean(),
  timestamp: timestamps,
  ip: fc.constantFrom(...addresses),
};

/** A value in the format of records, where timestamps and addresses are text. */
export function arbitraryValue(field: Field): Arbitrary<Scalar> {
  if (field.values !== undefined && field.values.length > 0)
    return fc.constantFrom(...field.values);
  return valuesByType[field.type];
}
