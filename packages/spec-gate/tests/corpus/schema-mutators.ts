import { isObject, listOf, objectsOf, type Json, type JsonObject } from "../../src/json.ts";

/** An edit of one schema that makes it allow less, or more. */
export interface Mutator {
  readonly name: string;
  readonly effect: "narrows" | "widens" | "changes";
  /** The last part of oasdiff's name. */
  readonly oasdiff?: string;
  readonly fits: (schema: JsonObject) => boolean;
  readonly edit: (schema: JsonObject) => Json;
}

const without = (schema: JsonObject, ...keywords: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => !keywords.includes(key)));

const isFree = (schema: JsonObject): boolean =>
  !["enum", "const", "allOf", "oneOf", "anyOf", "not", "if"].some((keyword) => keyword in schema);
const typed =
  (type: string, ...more: readonly ((schema: JsonObject) => boolean)[]) =>
  (schema: JsonObject): boolean =>
    schema["type"] === type && isFree(schema) && more.every((test) => test(schema));
const has = (keyword: string) => (schema: JsonObject) => keyword in schema;
const lacks =
  (...keywords: readonly string[]) =>
  (schema: JsonObject) =>
    !keywords.some((keyword) => keyword in schema);
const above = (keyword: string, least: number) => (schema: JsonObject) =>
  typeof schema[keyword] === "number" && schema[keyword] > least;
const number = (schema: JsonObject, keyword: string): number => Number(schema[keyword]);
const isNumeric =
  (...more: readonly ((schema: JsonObject) => boolean)[]) =>
  (schema: JsonObject) =>
    (schema["type"] === "integer" || schema["type"] === "number") &&
    isFree(schema) &&
    more.every((test) => test(schema));
const withText = lacks("pattern", "format", "contentEncoding");

const set =
  (keyword: string, value: Json | ((schema: JsonObject) => Json)) => (schema: JsonObject) => ({
    ...schema,
    [keyword]: typeof value === "function" ? value(schema) : value,
  });
const drop =
  (...keywords: readonly string[]) =>
  (schema: JsonObject) =>
    without(schema, ...keywords);

const firstProperty = (schema: JsonObject): string => objectsOf(schema["properties"])[0]?.[0] ?? "";
const optional = (schema: JsonObject): readonly string[] =>
  objectsOf(schema["properties"])
    .filter(([, member]) => member["readOnly"] !== true && member["writeOnly"] !== true)
    .map(([name]) => name)
    .filter((name) => !listOf(schema["required"]).includes(name));
const isObjectSchema = typed("object", (schema) => isObject(schema["properties"]));

const narrows = (
  name: string,
  oasdiff: string | undefined,
  fits: Mutator["fits"],
  edit: Mutator["edit"],
): Mutator => ({
  name,
  effect: "narrows",
  fits,
  edit,
  ...(oasdiff === undefined ? {} : { oasdiff }),
});
const widens = (
  name: string,
  oasdiff: string | undefined,
  fits: Mutator["fits"],
  edit: Mutator["edit"],
): Mutator => ({ ...narrows(name, oasdiff, fits, edit), effect: "widens" });

const isEnumeration = (schema: JsonObject): boolean => listOf(schema["enum"]).length > 1;

export const mutators: readonly Mutator[] = [
  narrows(
    "lower maxLength",
    "max-length-decreased",
    typed("string", withText, above("maxLength", 1)),
    (schema) => ({
      ...schema,
      maxLength: Math.max(number(schema, "maxLength") - 1, Number(schema["minLength"] ?? 0)),
    }),
  ),
  narrows(
    "add maxLength",
    "max-length-set",
    typed("string", withText, lacks("maxLength")),
    set("maxLength", 7),
  ),
  narrows("raise minLength", "min-length-increased", typed("string", withText), (schema) => ({
    ...schema,
    minLength: Number(schema["minLength"] ?? 0) + 1,
  })),
  narrows("add pattern", "pattern-added", typed("string", withText), set("pattern", "^[a-m]")),
  narrows("add format", undefined, typed("string", withText), set("format", "ipv4")),
  narrows(
    "add enum to text",
    "became-enum",
    typed("string", withText, lacks("minLength")),
    set("enum", ["a", "b"]),
  ),
  narrows(
    "add const to text",
    "const-added",
    typed("string", withText, lacks("minLength")),
    set("const", "a"),
  ),
  narrows(
    "narrow pattern",
    "pattern-changed",
    typed("string", has("pattern"), (schema) =>
      /^\^\[0-9a-f\]\{\d+\}\$$/.test(String(schema["pattern"])),
    ),
    set("pattern", (schema) => String(schema["pattern"]).replace("0-9a-f", "0-9a-d")),
  ),
  {
    ...narrows(
      "another pattern",
      "pattern-changed",
      typed("string", has("pattern")),
      set("pattern", "^never-before$"),
    ),
    effect: "changes",
  },
  narrows(
    "add not to text",
    undefined,
    typed("string", withText),
    set("not", { const: "forbidden" }),
  ),
  narrows(
    "lower maximum",
    "max-decreased",
    isNumeric(
      has("maximum"),
      (schema) => number(schema, "maximum") > Number(schema["minimum"] ?? 0) + 1,
    ),
    set("maximum", (schema) => number(schema, "maximum") - 1),
  ),
  narrows(
    "add maximum",
    "max-set",
    isNumeric(lacks("maximum", "exclusiveMaximum")),
    set("maximum", 1_000_000),
  ),
  narrows(
    "raise minimum",
    "min-increased",
    isNumeric(has("minimum")),
    set("minimum", (schema) => number(schema, "minimum") + 1),
  ),
  narrows(
    "add minimum",
    "min-set",
    isNumeric(lacks("minimum", "exclusiveMinimum")),
    set("minimum", -5),
  ),
  narrows("exclude the maximum", "exclusive-max-set", isNumeric(has("maximum")), (schema) => ({
    ...without(schema, "maximum"),
    exclusiveMaximum: number(schema, "maximum"),
  })),
  narrows("exclude the minimum", "exclusive-min-set", isNumeric(has("minimum")), (schema) => ({
    ...without(schema, "minimum"),
    exclusiveMinimum: number(schema, "minimum"),
  })),
  narrows("add multipleOf", undefined, isNumeric(), set("multipleOf", 7)),
  narrows(
    "number to integer",
    "type-specialized",
    (schema) => schema["type"] === "number" && isFree(schema),
    set("type", "integer"),
  ),
  narrows(
    "remove an enum value",
    "enum-value-removed",
    isEnumeration,
    set("enum", (schema) => listOf(schema["enum"]).slice(1)),
  ),
  narrows(
    "forbid null",
    "became-not-nullable",
    (schema) =>
      listOf(schema["type"]).includes("null") &&
      listOf(schema["type"]).length === 2 &&
      !("enum" in schema),
    set("type", (schema) => listOf(schema["type"]).find((type) => type !== "null") ?? "string"),
  ),
  narrows(
    "lower maxItems",
    "max-items-decreased",
    typed("array", above("maxItems", 1)),
    set("maxItems", (schema) => number(schema, "maxItems") - 1),
  ),
  narrows("add maxItems", undefined, typed("array", lacks("maxItems")), set("maxItems", 3)),
  narrows("raise minItems", "min-items-increased", typed("array"), (schema) => ({
    ...schema,
    minItems: Number(schema["minItems"] ?? 0) + 1,
  })),
  narrows(
    "add uniqueItems",
    undefined,
    typed("array", (schema) => schema["uniqueItems"] !== true),
    set("uniqueItems", true),
  ),
  narrows("add contains", "contains-added", typed("array"), set("contains", { const: "needed" })),
  narrows(
    "require an optional member",
    "became-required",
    (schema) => isObjectSchema(schema) && optional(schema).length > 0,
    (schema) => ({
      ...schema,
      required: [...listOf(schema["required"]), optional(schema)[0] ?? ""],
    }),
  ),
  narrows(
    "refuse undeclared members",
    undefined,
    typed(
      "object",
      (schema) => isObject(schema["properties"]),
      lacks("additionalProperties", "unevaluatedProperties"),
    ),
    set("additionalProperties", false),
  ),
  narrows("add maxProperties", undefined, isObjectSchema, set("maxProperties", 1)),
  narrows(
    "add minProperties",
    undefined,
    typed("object", (schema) => listOf(schema["required"]).length === 0, lacks("minProperties")),
    set("minProperties", 2),
  ),
  narrows(
    "limit names of members",
    "property-names-added",
    typed("object"),
    set("propertyNames", { maxLength: 9 }),
  ),
  narrows(
    "require a member beside another",
    "dependent-required-added",
    isObjectSchema,
    (schema) => ({ ...schema, dependentRequired: { [firstProperty(schema)]: ["companion"] } }),
  ),
  narrows("add a schema with a member", "dependent-schema-added", isObjectSchema, (schema) => ({
    ...schema,
    dependentSchemas: { [firstProperty(schema)]: { minProperties: 2 } },
  })),
  narrows(
    "add allOf that requires",
    "all-of-added",
    (schema) => isObjectSchema(schema) && optional(schema).length > 0,
    (schema) => ({ allOf: [schema, { required: [optional(schema)[0] ?? ""] }] }),
  ),
  narrows(
    "add if with then",
    "if-added",
    isObjectSchema,
    (schema) =>
      JSON.parse(
        `{"allOf": [${JSON.stringify(schema)}, {"if": {"required": ["a"]}, "then": {"required": ["b"]}}]}`,
      ) as Json,
  ),
  narrows(
    "narrow types",
    "list-of-types-narrowed",
    (schema) => listOf(schema["type"]).length > 1 && !("enum" in schema),
    set("type", (schema) => listOf(schema["type"]).slice(1)),
  ),

  widens(
    "raise maxLength",
    "max-length-increased",
    typed("string", withText, has("maxLength")),
    set("maxLength", (schema) => number(schema, "maxLength") + 1),
  ),
  widens(
    "drop maxLength",
    "max-length-unset",
    typed("string", withText, has("maxLength")),
    drop("maxLength"),
  ),
  widens(
    "lower minLength",
    "min-length-decreased",
    typed("string", withText, above("minLength", 0)),
    set("minLength", (schema) => number(schema, "minLength") - 1),
  ),
  widens(
    "drop minLength",
    "min-length-decreased",
    typed("string", withText, above("minLength", 0)),
    drop("minLength"),
  ),
  widens(
    "drop pattern",
    "pattern-removed",
    typed("string", has("pattern"), (schema) => schema["pattern"] !== ".*"),
    drop("pattern"),
  ),
  widens(
    "widen pattern",
    "pattern-generalized",
    typed("string", has("pattern"), (schema) =>
      /^\^\[0-9a-f\]\{\d+\}\$$/.test(String(schema["pattern"])),
    ),
    set("pattern", (schema) => String(schema["pattern"]).replace("0-9a-f", "0-9a-g")),
  ),
  widens(
    "drop format",
    undefined,
    typed("string", has("format"), lacks("pattern")),
    drop("format"),
  ),
  widens(
    "raise maximum",
    "max-increased",
    isNumeric(has("maximum")),
    set("maximum", (schema) => number(schema, "maximum") + 1),
  ),
  widens("drop maximum", undefined, isNumeric(has("maximum")), drop("maximum")),
  widens(
    "lower minimum",
    "min-decreased",
    isNumeric(has("minimum")),
    set("minimum", (schema) => number(schema, "minimum") - 1),
  ),
  widens("drop minimum", undefined, isNumeric(has("minimum")), drop("minimum")),
  widens(
    "integer to number",
    "type-generalized",
    (schema) => schema["type"] === "integer" && isFree(schema),
    set("type", "number"),
  ),
  widens(
    "add an enum value",
    "enum-value-added",
    isEnumeration,
    set("enum", (schema) => [
      ...listOf(schema["enum"]),
      typeof listOf(schema["enum"])[0] === "number" ? 977 : "brand-new",
    ]),
  ),
  widens(
    "drop enum",
    undefined,
    (schema) => isEnumeration(schema) && typeof schema["type"] === "string",
    drop("enum"),
  ),
  widens("const to enum", "enum-value-added", has("const"), (schema) => ({
    ...without(schema, "const"),
    enum: [schema["const"] ?? null, "brand-new"],
  })),
  widens(
    "allow null",
    "became-nullable",
    (schema) => typeof schema["type"] === "string" && isFree(schema),
    set("type", (schema) => [schema["type"] ?? "string", "null"]),
  ),
  widens("allow null by oneOf", "became-nullable", typed("string"), (schema) => ({
    oneOf: [schema, { type: "null" }],
  })),
  widens(
    "raise maxItems",
    undefined,
    typed("array", has("maxItems")),
    set("maxItems", (schema) => number(schema, "maxItems") + 1),
  ),
  widens("drop maxItems", undefined, typed("array", has("maxItems")), drop("maxItems")),
  widens(
    "lower minItems",
    "min-items-decreased",
    typed("array", above("minItems", 0)),
    set("minItems", (schema) => number(schema, "minItems") - 1),
  ),
  widens(
    "drop minItems",
    "min-items-unset",
    typed("array", above("minItems", 0)),
    drop("minItems"),
  ),
  widens(
    "drop uniqueItems",
    undefined,
    typed("array", (schema) => schema["uniqueItems"] === true),
    drop("uniqueItems"),
  ),
  widens(
    "make a required member optional",
    "became-optional",
    (schema) => isObjectSchema(schema) && listOf(schema["required"]).length > 0,
    set("required", (schema) => listOf(schema["required"]).slice(1)),
  ),
  widens(
    "widen types",
    "list-of-types-widened",
    (schema) => typeof schema["type"] === "string" && isFree(schema) && schema["type"] !== "object",
    set("type", (schema) => [schema["type"] ?? "string", "object"]),
  ),
  widens(
    "wrap in oneOf with another alternative",
    "wrapped-in-one-of",
    typed("array"),
    (schema) => ({ oneOf: [schema, { type: "object" }] }),
  ),
  widens(
    "drop the whole schema",
    undefined,
    (schema) => typeof schema["type"] === "string" && isFree(schema) && schema["type"] !== "object",
    () => ({}),
  ),
];
