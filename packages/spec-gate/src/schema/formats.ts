import type { NumberAtom } from "./canonical.ts";
import { order, type Numeric } from "../numeric.ts";

/** Formats whose values all belong to a wider format. */
const wider: Readonly<Record<string, readonly string[]>> = {
  int8: ["int16", "int32", "int64", "float", "double"],
  uint8: ["int16", "int32", "int64", "float", "double", "uint16", "uint32", "uint64"],
  int16: ["int32", "int64", "float", "double"],
  uint16: ["int32", "int64", "float", "double", "uint32", "uint64"],
  int32: ["int64", "double"],
  uint32: ["int64", "uint64", "double"],
  float: ["double"],
  email: ["idn-email"],
  hostname: ["idn-hostname"],
  uri: ["iri", "uri-reference", "iri-reference"],
  url: ["uri", "iri", "uri-reference", "iri-reference"],
  "uri-reference": ["iri-reference"],
  iri: ["iri-reference"],
};

export const isFormatWithin = (narrow: string, wide: string): boolean =>
  narrow === wide || wider[narrow]?.includes(wide) === true;

/** Formats for display only, which do not limit the valid values. */
const presentational = new Set(["password", "textarea", "markdown", "html", "multiline", "string"]);

/**
 * The formats that limit a type. All integers of JSON are int64 in practice, all numbers double.
 */
export function limitingFormats(
  formats: readonly string[],
  type: "integer" | "number" | "string",
): readonly string[] {
  const implied = { integer: "int64", number: "double", string: "" }[type];
  const others = type === "string" ? formatsOfNumbers : formatsOfTexts;
  return formats.filter(
    (format) => format !== implied && !presentational.has(format) && !others.has(format),
  );
}

/** Formats that say nothing about texts. Those of 64 bits do: they are registered for both. */
const formatsOfNumbers = new Set(
  "int8 int16 int32 uint8 uint16 uint32 float double single-float double-int".split(" "),
);

/** Formats that say nothing about numbers. */
const formatsOfTexts = new Set(
  `date date-time time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri
  iri-reference uri-template url uuid json-pointer relative-json-pointer regex byte binary base64url
  char commonmark http-date media-range sf-string sf-token sf-binary`.split(/\s+/),
);

const integerRanges: readonly (readonly [format: string, least: Numeric, largest: Numeric])[] = [
  ["int8", -(2 ** 7), 2 ** 7 - 1],
  ["uint8", 0, 2 ** 8 - 1],
  ["int16", -(2 ** 15), 2 ** 15 - 1],
  ["uint16", 0, 2 ** 16 - 1],
  ["int32", -(2 ** 31), 2 ** 31 - 1],
  ["uint32", 0, 2 ** 32 - 1],
];

/** Whether it is known which numbers a format has. */
export const isNumberFormat = (format: string): boolean =>
  ["int64", "uint64", "float", "double"].includes(format) ||
  integerRanges.some(([each]) => each === format);

const largestFloat = (2 - 2 ** -23) * 2 ** 127;

/** Integers without a format count as int64, other numbers as double. */
const int64: readonly [bigint, bigint] = [-(2n ** 63n), 2n ** 63n - 1n];
const uint64: readonly [number, bigint] = [0, 2n ** 64n - 1n];

/** The least and the largest value that the formats allow. */
export function rangeOfFormats({ integer, formats }: NumberAtom): readonly [Numeric, Numeric] {
  let [least, largest]: readonly [Numeric, Numeric] = formats.includes("uint64")
    ? uint64
    : integer
      ? int64
      : formats.includes("float")
        ? [-largestFloat, largestFloat]
        : [-Number.MAX_VALUE, Number.MAX_VALUE];
  for (const [format, low, high] of integerRanges) {
    if (!formats.includes(format)) continue;
    if (order(low, least) > 0) least = low;
    if (order(high, largest) < 0) largest = high;
  }
  return [least, largest];
}

/** The lengths of texts of a format. */
export const lengthsOfFormat = (format: string): readonly [least: number, largest: number] =>
  textLengths[format] ?? [0, Infinity];

const textLengths: Readonly<Record<string, readonly [number, number]>> = {
  uuid: [36, 36],
  date: [10, 10],
  "date-time": [20, Infinity],
  time: [9, Infinity],
  duration: [3, Infinity],
  email: [3, Infinity],
  "idn-email": [3, Infinity],
  hostname: [1, 253],
  ipv4: [7, 15],
  ipv6: [2, 45],
};

/** Patterns that all texts of some formats match. */
export const patternsOfFormats = (formats: readonly string[]): readonly string[] =>
  formats.flatMap((format) => textPatterns[format] ?? []);

const textPatterns: Readonly<Record<string, string>> = {
  uuid: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
  date: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
  "date-time":
    "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$",
  ipv4: "^[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}$",
};

/** The formats of integers that the limits imply. */
export function impliedFormats({ integer, minimum, maximum }: NumberAtom): readonly string[] {
  if (!integer || minimum === undefined || maximum === undefined) return [];
  return integerRanges
    .filter(([, least, largest]) => minimum.value >= least && maximum.value <= largest)
    .map(([format]) => format);
}

/** Whether values of all the first formats are values of all the second. */
export const areFormatsWithin = (narrow: readonly string[], wide: readonly string[]): boolean =>
  wide.every((each) => narrow.some((own) => isFormatWithin(own, each)));
