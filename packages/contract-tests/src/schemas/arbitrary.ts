import * as fc from "fast-check";
import type { Arbitrary } from "fast-check";
import type { Contract, Schema } from "../contract.ts";
import { resolveSchema, typesOf } from "./resolve-schema.ts";

const deepest = 6;
const longestText = 60;
/** Maximum length of texts that are tested at their limit. */
const longestTried = 20_000;
const mostItems = 3;

/**
 * Random values of a schema. Most of them are valid; conditions between members (`if`, `not`) are
 * not followed, so a validator filters the values. Texts that take FQL are left to `filters`.
 */
export function arbitraryOf(
  contract: Contract,
  schema: Schema,
  filters: Arbitrary<string>,
  depth = 0,
): Arbitrary<unknown> {
  const resolved = resolveSchema(contract, schema);
  const inner = (part: Schema): Arbitrary<unknown> =>
    arbitraryOf(contract, part, filters, depth + 1);
  if (resolved["x-fql"] !== undefined && typesOf(resolved).includes("string")) return filters;
  if ("const" in resolved) return fc.constant(resolved["const"]);
  const options = resolved["enum"] as readonly unknown[] | undefined;
  if (options !== undefined) return fc.constantFrom(...options);
  const choices = (resolved["oneOf"] ?? resolved["anyOf"]) as readonly Schema[] | undefined;
  if (choices !== undefined && choices.some((choice) => "$ref" in choice || "type" in choice)) {
    return fc.oneof(...choices.map(inner));
  }
  const types = typesOf(resolved);
  const kinds = types.map((type) => ofType(type, resolved, inner, depth));
  return kinds.length === 0 ? fc.jsonValue({ maxDepth: 1 }) : fc.oneof(...kinds);
}

type Inner = (schema: Schema) => Arbitrary<unknown>;

function ofType(type: string, schema: Schema, inner: Inner, depth: number): Arbitrary<unknown> {
  const number = (name: string): number | undefined => schema[name] as number | undefined;
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: number("minimum") ?? -1_000, max: number("maximum") ?? 1_000_000 });
    case "number":
      return fc.double({
        min: number("minimum") ?? -1_000,
        max: number("maximum") ?? 1_000_000,
        noNaN: true,
      });
    case "string":
      return textOf(schema);
    case "array":
      return listOf(schema, inner, depth);
    default:
      return objectOf(schema, inner, depth);
  }
}

function textOf(schema: Schema): Arbitrary<string> {
  const minLength = (schema["minLength"] as number | undefined) ?? 0;
  const maximum = (schema["maxLength"] as number | undefined) ?? longestText;
  const maxLength = Math.max(minLength, Math.min(maximum, longestText));
  const plain = fc.string({ minLength, maxLength, unit: "grapheme" });
  if (typeof schema["pattern"] === "string") {
    try {
      return fc.stringMatching(new RegExp(schema["pattern"], "u"), { maxLength });
    } catch {
      // fast-check does not support every construct, so a validator filters the texts.
      return plain;
    }
  }
  switch (schema["format"]) {
    case "date-time":
      return fc
        .date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
        .map((date) => date.toISOString());
    case "uuid":
      return fc.uuid();
    case "ipv4":
      return fc.ipV4();
    case "email":
      return fc.emailAddress();
    case "uri":
      return fc.webUrl();
    default:
      return maximum > longestText && maximum <= longestTried
        ? fc.oneof({ weight: 9, arbitrary: plain }, { weight: 1, arbitrary: ofLength(maximum) })
        : plain;
  }
}

/** A text at the limit, with multi-byte or single-byte characters. */
const ofLength = (length: number): Arbitrary<string> =>
  fc.constantFrom("a", "é", "字").map((character) => character.repeat(length));

function listOf(schema: Schema, inner: Inner, depth: number): Arbitrary<unknown> {
  const minLength = (schema["minItems"] as number | undefined) ?? 0;
  const maximum = (schema["maxItems"] as number | undefined) ?? mostItems;
  const maxLength = depth > deepest ? minLength : Math.max(minLength, Math.min(maximum, mostItems));
  const items = inner((schema["items"] ?? {}) as Schema);
  return schema["uniqueItems"] === true
    ? fc.uniqueArray(items, { minLength, maxLength, selector: (item) => JSON.stringify(item) })
    : fc.array(items, { minLength, maxLength });
}

function objectOf(schema: Schema, inner: Inner, depth: number): Arbitrary<unknown> {
  const properties = Object.entries(
    (schema["properties"] ?? {}) as Readonly<Record<string, Schema>>,
  );
  const required = (schema["required"] ?? []) as readonly string[];
  const selected = properties.filter(([name]) => depth <= deepest || required.includes(name));
  return fc.record(Object.fromEntries(selected.map(([name, part]) => [name, inner(part)])), {
    requiredKeys: required.filter((name) => selected.some(([each]) => each === name)),
    noNullPrototype: true,
  });
}
