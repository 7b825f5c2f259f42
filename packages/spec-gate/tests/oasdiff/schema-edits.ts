import type { Json, JsonObject } from "../../src/json.ts";

/** A schema before and after. */
export type Edit = readonly [before: Json, after: Json];

const object = (more: JsonObject): JsonObject => ({ type: "object", ...more });
const array = (more: JsonObject): JsonObject => ({ type: "array", ...more });
const text = (more: JsonObject): JsonObject => ({ type: "string", ...more });
const number = (more: JsonObject): JsonObject => ({ type: "number", ...more });
const choice = (...all: readonly JsonObject[]): JsonObject => ({ oneOf: all });
const cat = object({
  title: "cat",
  properties: { kind: { const: "cat" }, lives: { type: "integer" } },
});
const dog = object({
  title: "dog",
  properties: { kind: { const: "dog" }, name: { type: "string" } },
});
const pets = (discriminator?: JsonObject): JsonObject => ({
  oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }],
  ...(discriminator === undefined ? {} : { discriminator }),
});
const kinds = (mapping: JsonObject) => pets({ propertyName: "kind", mapping });
const catAndDog = { cat: "#/components/schemas/Cat", dog: "#/components/schemas/Dog" };

export const petComponents = { components: { schemas: { Cat: cat, Dog: dog } } };

const rising = (name: string, keyword: string, of: (more: JsonObject) => JsonObject) => {
  const [low, high, none] = [of({ [keyword]: 5 }), of({ [keyword]: 10 }), of({})];
  return {
    [`${name}-increased`]: [low, high],
    [`${name}-decreased`]: [high, low],
    [`${name}-set`]: [none, high],
    [`${name}-unset`]: [high, none],
  } as Record<string, Edit>;
};

const keyword = (name: string, without: Json, withIt: Json): Record<string, Edit> => ({
  [`${name}-added`]: [without, withIt],
  [`${name}-removed`]: [withIt, without],
});

/** `if` with its branches; JavaScript takes objects with `then` for promises, so it is parsed. */
const conditional = (parts: string): JsonObject =>
  JSON.parse(`{"type": "object", ${parts}}`) as JsonObject;
const test = '"if": {"required": ["a"]}';
const whenTrue = '"then": {"required": ["b"]}';
const whenFalse = '"else": {"required": ["c"]}';

/** Edits of one schema, by the last part of oasdiff's names. */
export const schemaEdits: Readonly<Record<string, Edit>> = {
  ...rising("max", "maximum", number),
  ...rising("min", "minimum", number),
  ...rising("exclusive-max", "exclusiveMaximum", number),
  ...rising("exclusive-min", "exclusiveMinimum", number),
  ...rising("max-length", "maxLength", text),
  ...rising("min-length", "minLength", text),
  ...rising("max-items", "maxItems", array),
  ...rising("min-items", "minItems", array),
  ...rising("max-contains", "maxContains", (more) => array({ contains: text({}), ...more })),
  ...rising("min-contains", "minContains", (more) => array({ contains: text({}), ...more })),
  ...keyword("pattern", text({}), text({ pattern: "^[a-f]+$" })),
  "pattern-changed": [text({ pattern: "^[a-f]+$" }), text({ pattern: "^[x-z]+$" })],
  "pattern-generalized": [text({ pattern: "^[a-f]+$" }), text({ pattern: "^[a-z]*$" })],
  ...keyword("pattern-property", object({}), object({ patternProperties: { "^x-": text({}) } })),
  ...keyword("property-names", object({}), object({ propertyNames: { pattern: "^[a-z]+$" } })),
  ...keyword("contains", array({}), array({ contains: text({}) })),
  ...keyword("dependent-required", object({}), object({ dependentRequired: { a: ["b"] } })),
  "dependent-required-changed": [
    object({ dependentRequired: { a: ["b"] } }),
    object({ dependentRequired: { a: ["c"] } }),
  ],
  ...keyword(
    "dependent-schema",
    object({}),
    object({ dependentSchemas: { a: { required: ["b"] } } }),
  ),
  ...keyword("unevaluated-properties", object({}), object({ unevaluatedProperties: false })),
  ...keyword(
    "unevaluated-items",
    array({ prefixItems: [text({})] }),
    array({ prefixItems: [text({})], unevaluatedItems: false }),
  ),
  ...keyword(
    "prefix-items",
    array({ prefixItems: [text({})] }),
    array({ prefixItems: [text({}), number({})] }),
  ),
  ...keyword("if", conditional('"description": "x"'), conditional(`${test}, ${whenTrue}`)),
  ...keyword(
    "then",
    conditional(`${test}, ${whenFalse}`),
    conditional(`${test}, ${whenFalse}, ${whenTrue}`),
  ),
  ...keyword(
    "else",
    conditional(`${test}, ${whenTrue}`),
    conditional(`${test}, ${whenTrue}, ${whenFalse}`),
  ),
  ...keyword("all-of", object({}), object({ allOf: [{ required: ["a"] }] })),
  "all-of-added-annotation-only": [object({}), object({ allOf: [{ description: "Thing." }] })],
  "all-of-removed-annotation-only": [object({ allOf: [{ description: "Thing." }] }), object({})],
  ...keyword("any-of", { anyOf: [cat] }, { anyOf: [cat, dog] }),
  ...keyword("one-of", choice(cat), choice(cat, dog)),
  "wrapped-in-one-of": [cat, choice(cat, dog)],
  ...keyword("discriminator", pets(), pets({ propertyName: "kind" })),
  "discriminator-property-name-changed": [
    pets({ propertyName: "kind" }),
    pets({ propertyName: "type" }),
  ],
  "discriminator-mapping-added": [kinds(catAndDog), kinds({ ...catAndDog, hound: catAndDog.dog })],
  "discriminator-mapping-deleted": [
    kinds({ ...catAndDog, hound: catAndDog.dog }),
    kinds(catAndDog),
  ],
  "discriminator-mapping-changed": [
    kinds({ ...catAndDog, pet: catAndDog.cat }),
    kinds({ ...catAndDog, pet: catAndDog.dog }),
  ],
  ...keyword(
    "content-schema",
    text({ contentMediaType: "application/json" }),
    text({ contentMediaType: "application/json", contentSchema: object({}) }),
  ),
  "content-encoding-changed": [
    text({ contentEncoding: "base64" }),
    text({ contentEncoding: "base16" }),
  ],
  "content-media-type-changed": [
    text({ contentMediaType: "image/png" }),
    text({ contentMediaType: "image/gif" }),
  ],
  "list-of-types-narrowed": [{ type: ["string", "integer"] }, { type: "integer" }],
  "list-of-types-widened": [text({}), { type: ["string", "boolean", "object"] }],
  "type-changed": [object({}), { type: "boolean" }],
  "type-generalized": [{ type: "integer" }, number({})],
  "type-specialized": [number({}), { type: "integer" }],
  "became-nullable": [text({}), { type: ["string", "null"] }],
  "became-not-nullable": [{ type: ["string", "null"] }, text({})],
  "became-enum": [text({}), text({ enum: ["a", "b"] })],
  "enum-value-added": [text({ enum: ["a", "b"] }), text({ enum: ["a", "b", "c"] })],
  "enum-value-removed": [text({ enum: ["a", "b", "c"] }), text({ enum: ["a", "b"] })],
  ...keyword("const", text({}), text({ const: "a" })),
  "const-changed": [text({ const: "a" }), text({ const: "b" })],
  ...keyword("default-value", text({}), text({ default: "a" })),
  "default-value-changed": [text({ default: "a" }), text({ default: "b" })],
  "x-extensible-enum-value-removed": [
    text({ "x-extensible-enum": ["a", "b"] }),
    text({ "x-extensible-enum": ["a"] }),
  ],
  deprecated: [text({}), text({ deprecated: true })],
  "deprecated-sunset-missing": [text({}), text({ deprecated: true })],
  "deprecated-sunset-invalid": [text({}), text({ deprecated: true, "x-sunset": "soon" })],
  "deprecated-with-sunset": [text({}), text({ deprecated: true, "x-sunset": "2030-01-01" })],
  reactivated: [text({ deprecated: true }), text({})],
  "sunset-date-too-small": [text({}), text({ deprecated: true, "x-sunset": "2020-01-01" })],
  "stability-decreased": [
    text({ "x-stability-level": "stable" }),
    text({ "x-stability-level": "beta" }),
  ],
  "stability-increased": [
    text({ "x-stability-level": "beta" }),
    text({ "x-stability-level": "stable" }),
  ],
};

/** Edits whose rule reads the object that has the member, by oasdiff's whole name. */
const named = (schema: JsonObject | undefined, isRequired = false): JsonObject => ({
  type: "object",
  properties: { id: text({}), ...(schema === undefined ? {} : { name: schema }) },
  ...(isRequired ? { required: ["name"] } : {}),
});

export const memberEdits: Readonly<Record<string, Edit>> = {
  "new-optional-request-property": [named(undefined), named(text({}))],
  "new-required-request-property": [named(undefined), named(text({}), true)],
  "new-required-request-property-with-default": [
    named(undefined),
    named(text({ default: "a" }), true),
  ],
  "request-property-removed": [named(text({})), named(undefined)],
  "request-property-became-required": [named(text({})), named(text({}), true)],
  "request-property-became-required-with-default": [
    named(text({ default: "a" })),
    named(text({ default: "a" }), true),
  ],
  "request-property-became-optional": [named(text({}), true), named(text({}))],
  "response-optional-property-added": [named(undefined), named(text({}))],
  "response-required-property-added": [named(undefined), named(text({}), true)],
  "response-optional-property-removed": [named(text({})), named(undefined)],
  "response-required-property-removed": [named(text({}), true), named(undefined)],
  "response-property-became-optional": [named(text({}), true), named(text({}))],
  "response-property-became-required": [named(text({})), named(text({}), true)],
  "response-optional-write-only-property-added": [
    named(undefined),
    named(text({ writeOnly: true })),
  ],
  "response-required-write-only-property-added": [
    named(undefined),
    named(text({ writeOnly: true }), true),
  ],
  "response-optional-write-only-property-removed": [
    named(text({ writeOnly: true })),
    named(undefined),
  ],
  "response-required-write-only-property-removed": [
    named(text({ writeOnly: true }), true),
    named(undefined),
  ],
  "response-write-only-property-became-optional": [
    named(text({ writeOnly: true }), true),
    named(text({ writeOnly: true })),
  ],
  "response-write-only-property-became-required": [
    named(text({ writeOnly: true })),
    named(text({ writeOnly: true }), true),
  ],
  ...Object.fromEntries(
    ["request", "response"].flatMap((direction) =>
      ["optional", "required"].flatMap((kind) =>
        (["read", "write"] as const).flatMap((access) => {
          const marked = named(text({ [`${access}Only`]: true }), kind === "required");
          const plain = named(text({}), kind === "required");
          const prefix = `${direction}-${kind}-property-became`;
          return [
            [`${prefix}-${access}-only`, [plain, marked]],
            [`${prefix}-not-${access}-only`, [marked, plain]],
          ] as const;
        }),
      ),
    ),
  ),
};
