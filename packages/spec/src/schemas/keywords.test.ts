import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonSchema } from "../document.ts";
import {
  calledDocument,
  completeDocument,
  importSchemas,
  servedDocument,
  type CalledOperation,
} from "../index.ts";
import { formatCheck } from "./formats.ts";
import { componentPath, SchemaSet } from "./schema-set.ts";
import { areDifferent } from "./unique-items.ts";
import type { Violation } from "./violation.ts";

/** Ajv with the document. It compiles code, so it cannot run in a page. */
const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true, validateSchema: false });
(addFormats as unknown as (instance: Ajv2020) => void)(ajv);
for (const name of ["date-time", "email", "uri"]) {
  ajv.addFormat(name, (text: string) => formatCheck(name)?.(text) === true);
}
// Ajv's own keyword ignores items of another type than the schema's.
ajv.removeKeyword("uniqueItems").addKeyword({
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  compile: (isRequired: boolean, schema: JsonSchema) => (items: readonly unknown[]) =>
    !isRequired || schema["x-normal-form"] === "set" || areDifferent(items),
});
/** The document's references begin with it in Ajv. */
const documentName = "document.json";
const components = servedDocument().schemas;
const ours = new SchemaSet(() => components);
const referencing = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(referencing);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === "$ref" ? `${documentName}${String(each)}` : referencing(each),
    ]),
  );
};
for (const [name, schema] of Object.entries(components)) {
  ajv.addSchema(referencing(schema) as JsonSchema, `${documentName}${componentPath}${name}`);
}

const parameters = servedDocument().operations.flatMap((operation) =>
  operation.parameters.map(
    ({ name, schema }) => [`${operation.id} ${name}`, schema as JsonSchema] as const,
  ),
);
const schemas: readonly (readonly [string, JsonSchema])[] = [
  ...Object.keys(components).map((name) => [name, { $ref: componentPath + name }] as const),
  ...Object.entries(importSchemas()),
  ...new Map(parameters.map((each) => [JSON.stringify(each[1]), each])).values(),
];

/** Draws a whole number from 0 up to the limit. */
type Draw = (limit: number) => number;

/** Random numbers by a seed (mulberry32). */
function drawing(seed: number): Draw {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) % (limit + 1);
  };
}

const matching = new Map<string, readonly string[]>();

function textsOf(pattern: string): readonly string[] {
  let texts = matching.get(pattern);
  if (texts === undefined) {
    const arbitrary = fc.stringMatching(new RegExp(pattern, "u"), { size: "xsmall" });
    texts = fc.sample(arbitrary, { numRuns: 3, seed: 1 });
    matching.set(pattern, texts);
  }
  return texts;
}

const odd: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  "",
  "a",
  "😀",
  [],
  [1, 1],
  {},
  { a: 1 },
  { constructor: 1 },
];
const texts = ["2026-01-31T09:30:00Z", "2026-02-30", "https://example.com/a", "a@example.com"];

/** A value that a schema allows, or that breaks some of its keywords. */
function valueFor(given: JsonSchema, draw: Draw, depth = 0): unknown {
  const one = <Item>(items: readonly Item[]): Item => items[draw(items.length - 1)] as Item;
  if (depth > 6 || draw(14) === 0) return one(odd);
  const schema = ours.resolved(given) as Record<string, unknown> & JsonSchema;
  const next = (inner: unknown): unknown => valueFor((inner ?? {}) as JsonSchema, draw, depth + 1);
  const choices = (schema["oneOf"] ?? schema["anyOf"]) as readonly JsonSchema[] | undefined;
  if (schema["type"] === undefined && choices !== undefined) return next(one(choices));
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return one(schema["enum"] as unknown[]);
  switch (one([schema["type"]].flat())) {
    case "object": {
      const required = (schema["required"] ?? []) as readonly string[];
      const members = Object.entries((schema["properties"] ?? {}) as object)
        .filter(([name]) => (required.includes(name) ? draw(9) > 0 : draw(3) === 0))
        .map(([name, inner]) => [name, next(inner)]);
      return { ...(draw(4) === 0 ? { other: 1 } : {}), ...Object.fromEntries(members) };
    }
    case "array": {
      const [least, most] = [Number(schema["minItems"] ?? 0), Number(schema["maxItems"] ?? 3)];
      const lengths = [least, least + 1, 2, ...(most < 20 ? [most + 1] : [])];
      return Array.from({ length: one(lengths) }, () => next(schema["items"]));
    }
    case "string": {
      const [least, most] = [Number(schema["minLength"] ?? 0), Number(schema["maxLength"] ?? 9)];
      const { pattern } = schema;
      if (typeof pattern === "string" && draw(1) === 0) return one(textsOf(pattern));
      const longest = Math.min(most, 300);
      return one([
        ...texts,
        "😀".repeat(Math.min(least, 300)),
        "a".repeat(longest),
        "a".repeat(longest + 1),
      ]);
    }
    case "integer":
    case "number": {
      const bounds = ["minimum", "maximum", "exclusiveMinimum"].flatMap(
        (name) => (schema[name] ?? []) as number,
      );
      return one([0, 1.5, ...bounds.flatMap((bound) => [bound, bound - 1, bound + 1])]);
    }
    case "boolean":
      return draw(1) === 0;
    default:
      return one(odd);
  }
}

const described = (errors: readonly (readonly unknown[])[]): readonly string[] =>
  errors.map((error) => JSON.stringify(error).replaceAll(documentName, "")).toSorted();

const ofAjv = ({ keyword, instancePath, schema, data, params }: ErrorObject) => [
  keyword,
  instancePath,
  schema,
  data,
  (params["missingProperty"] ?? params["additionalProperty"] ?? params["propertyName"]) as unknown,
];

const found = ({ keyword, instancePath, schema, data, member }: Violation) => [
  keyword,
  instancePath,
  schema,
  data,
  member,
];

test(
  "finds what Ajv finds, for all schemas of the document and of imports",
  { tags: ["exhaustive"] },
  () => {
    const both = schemas.map(([name, schema]) => ({
      name,
      schema,
      expected: ajv.compile(referencing(schema) as JsonSchema),
      violations: ours.violationsIn(schema),
    }));
    let valid = 0;
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const draw = drawing(seed);
        for (const { name, schema, expected, violations } of both) {
          const value = valueFor(schema, draw);
          const isValid = expected(value);
          valid += isValid ? 1 : 0;
          const all = described(violations(value, "all").map((violation) => found(violation)));
          const wanted = described((expected.errors ?? []).map((error) => ofAjv(error)));
          expect(all, name).toEqual(wanted);
          expect(violations(value, "first").length === 0, name).toBe(isValid);
        }
      }),
      { numRuns: 20 },
    );
    // Otherwise the values would test only violations.
    expect(valid).toBeGreaterThan(schemas.length);
  },
);

test.each<[string, JsonSchema, string]>([
  ["a keyword", { contains: {} }, "#: unsupported keyword contains"],
  ["a format", { type: "string", format: "iban" }, "#: unknown format iban"],
  ["a type", { type: "text" }, "#: unknown type text"],
  ["a reference", { $ref: "#/components/schemas/Nobody" }, "Nobody leads nowhere"],
])("refuses a schema with %s that it does not know", (_, schema, message) => {
  expect(() => ours.violationsIn(schema)("value", "all")).toThrow(message);
});

test("knows every keyword, format and type of what commands and pages check", () => {
  const called = calledDocument();
  const complete = completeDocument().components.schemas;
  const schemasOf = (calls: readonly CalledOperation[]): readonly JsonSchema[] =>
    calls.flatMap(({ parameters: inputs, requestBody }) => [
      ...inputs.map(({ schema }) => schema),
      ...(requestBody === undefined ? [] : [requestBody.schema]),
    ]);
  for (const [named, more] of [
    [called.schemas, schemasOf([...called.operations, ...called.control])],
    [complete, []],
  ] as const) {
    const set = new SchemaSet(() => named);
    const all = [...Object.values(named), ...more].flatMap((schema) => [...partsOf(schema)]);
    expect(all.length).toBeGreaterThan(1_000);
    for (const schema of all) {
      for (const value of odd) set.violationsIn(schema, JSON.stringify(schema))(value, "all");
    }
  }
});

/** The schema and those inside it. */
function* partsOf(schema: JsonSchema): Iterable<JsonSchema> {
  yield schema;
  const { items, additionalProperties, propertyNames, properties, oneOf, anyOf, allOf } = schema;
  for (const inner of [
    ...[items, additionalProperties, propertyNames, oneOf, anyOf, allOf].flat(),
    ...Object.values((properties ?? {}) as object),
  ] as readonly unknown[]) {
    if (typeof inner === "object" && inner !== null) yield* partsOf(inner as JsonSchema);
  }
}
