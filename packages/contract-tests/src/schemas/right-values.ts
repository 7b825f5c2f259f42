import type { Conformance } from "../conformance/conformance.ts";
import type { Schema } from "../contract.ts";
import { resolveSchema, typesOf } from "./resolve-schema.ts";

/**
 * Values that a schema accepts, without null: two different values if possible, the longest text
 * and an empty one. Empty if no value can be derived from the schema.
 */
export function candidates(conformance: Conformance, schema: Schema): readonly unknown[] {
  const { contract, validators } = conformance;
  const isValid = (value: unknown): boolean =>
    value !== undefined && validators.violations(schema, value).length === 0;
  const full = fullValues(conformance, schema).filter(isValid).slice(0, 2);
  const longest = longestTexts(resolveSchema(contract, schema)).filter(isValid);
  const empty = emptyValues(resolveSchema(contract, schema)).filter(isValid).slice(0, 1);
  const all = [...full, ...longest, ...empty];
  return all.filter(
    (value, index) =>
      all.findIndex((each) => JSON.stringify(each) === JSON.stringify(value)) === index,
  );
}

function fullValues(conformance: Conformance, schema: Schema): readonly unknown[] {
  const resolved = resolveSchema(conformance.contract, schema);
  const types = typesOf(resolved);
  const listed = [
    ...((resolved["examples"] as unknown[] | undefined) ?? []),
    resolved["example"],
    ...((resolved["enum"] as unknown[] | undefined) ?? []),
  ];
  return [
    ...listed.filter((value) => value !== undefined && value !== null && value !== ""),
    ...(types.includes("boolean") ? [true, false] : []),
    ...(types.includes("integer") || types.includes("number") ? numbersOf(resolved) : []),
    ...(types.includes("string") ? texts : []),
    ...(types.includes("array") ? listsOf(conformance, resolved) : []),
  ];
}

const texts = [
  "changed once",
  "changed again",
  "2031-01-01T00:00:00Z",
  "2032-01-01T00:00:00Z",
  "42",
  "43",
  "0123456789abcdef0123456789abcdef",
  "https://changed.example/",
  "changed@contract.example",
];

/** A text of the maximum documented length, if nothing else limits it. */
function longestTexts(schema: Schema): readonly string[] {
  const { maxLength, format, pattern, enum: options } = schema;
  const isFree = format === undefined && pattern === undefined && options === undefined;
  if (!isFree || typeof maxLength !== "number" || maxLength > longestTried) return [];
  return ["longest allowed ".repeat(Math.ceil(maxLength / 16)).slice(0, maxLength - 1) + "."];
}

const longestTried = 20_000;

const numbersOf = ({ minimum, maximum }: Schema): readonly number[] =>
  [maximum, minimum, 41, 42].filter((value) => typeof value === "number");

function listsOf(conformance: Conformance, schema: Schema): readonly unknown[] {
  const items = schema["items"] as Schema | undefined;
  if (items === undefined) return [];
  const [first, second] = fullValues(conformance, items).filter(
    (value) => conformance.validators.violations(items, value).length === 0,
  );
  if (first === undefined) return [];
  return [[first], ...(second === undefined ? [] : [[second, first]])];
}

const emptyValues = (schema: Schema): readonly unknown[] =>
  typesOf(schema).flatMap((type): readonly unknown[] => {
    switch (type) {
      case "boolean":
        return [false];
      case "integer":
      case "number":
        return [0];
      case "string":
        return [""];
      case "array":
        return [[]];
      default:
        return [];
    }
  });
