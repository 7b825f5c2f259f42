import { typesOf } from "./resolve-schema.ts";
import type { Schema } from "../contract.ts";

/** A value that breaks one rule of a schema. */
export interface WrongValue {
  /** What is wrong with it: `below minimum 1`. */
  readonly kind: string;
  readonly value: unknown;
  /** Whether the value breaks a limit: a range, a length or a number of items. */
  readonly limit: boolean;
}

const textLimit = 200_000;

/**
 * JSON values that a resolved schema refuses, one for each rule that it has. Lists: see the
 * callers.
 */
export function wrongValues(schema: Schema): readonly WrongValue[] {
  return [...wrongTypes(schema), ...wrongNumbers(schema), ...wrongTexts(schema)];
}

const samples: readonly (readonly [string, unknown])[] = [
  ["string", "seven"],
  ["integer", 7],
  ["boolean", true],
  ["object", {}],
];

function wrongTypes(schema: Schema): readonly WrongValue[] {
  const types = typesOf(schema);
  if (types.length === 0) return [];
  const allowed = types.includes("number") ? [...types, "integer"] : types;
  const other = samples.find(([type]) => !allowed.includes(type));
  return [
    ...(other === undefined ? [] : [wrong(`a wrong type (${other[0]})`, other[1])]),
    ...(types.includes("null") ? [] : [wrong("null", null)]),
    ...(types.includes("integer") && !types.includes("number") ? [wrong("a fraction", 1.5)] : []),
  ];
}

/** Values just outside the range; also used for numeric parameters. */
export function wrongNumbers(schema: Schema): readonly WrongValue[] {
  const minimum = schema["minimum"] as number | undefined;
  const maximum = schema["maximum"] as number | undefined;
  return [
    ...(minimum === undefined ? [] : [limit(`below minimum ${minimum}`, minimum - 1)]),
    ...(maximum === undefined ? [] : [limit(`above maximum ${maximum}`, maximum + 1)]),
  ];
}

/**
 * Texts that a resolved schema refuses. Also for parameters, which are always texts on the wire.
 */
export function wrongTexts(schema: Schema, longest = textLimit): readonly WrongValue[] {
  if (!typesOf(schema).includes("string")) return [];
  const minimum = (schema["minLength"] as number | undefined) ?? 0;
  const maximum = (schema["maxLength"] as number | undefined) ?? Infinity;
  const options = schema["enum"] as readonly unknown[] | undefined;
  const closed = options !== undefined || schema["const"] !== undefined;
  return [
    ...(closed ? [wrong("an unknown value", "no_such_value")] : []),
    ...(minimum > 0 && !closed ? [limit(`shorter than ${minimum}`, "")] : []),
    ...(maximum < longest && !closed
      ? [limit(`longer than ${maximum}`, "a".repeat(maximum + 1))]
      : []),
    ...wrongPatterns(schema),
    ...(formats.has(String(schema["format"]))
      ? [wrong(`not a ${String(schema["format"])}`, "not-well-formed")]
      : []),
  ];
}

const formats: ReadonlySet<string> = new Set([
  "date-time",
  "date",
  "uuid",
  "ipv4",
  "ipv6",
  "email",
  "uri",
]);

/** Numbers first, because many patterns are for digits, and these numbers are out of range. */
const badTexts = ["-1", "0", "1000000", "not well-formed!", ""];

function wrongPatterns(schema: Schema): readonly WrongValue[] {
  if (typeof schema["pattern"] !== "string") return [];
  const pattern = new RegExp(schema["pattern"], "u");
  const digits = pattern.test("1");
  return badTexts
    .filter((text) => !pattern.test(text))
    .slice(digits ? 0 : -2)
    .map((text) => {
      const kind = `not like ${schema["pattern"] as string} (${text === "" ? "empty" : text})`;
      return digits ? limit(kind, text) : wrong(kind, text);
    });
}

const wrong = (kind: string, value: unknown): WrongValue => ({ kind, value, limit: false });
const limit = (kind: string, value: unknown): WrongValue => ({ kind, value, limit: true });
