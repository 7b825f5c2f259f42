import type { Json, JsonObject } from "../../src/json.ts";
import { operationWith, requestOf, responseOf } from "../../src/testing/documents.ts";
import { familyOf, integer, object, pairs, text } from "./pair.ts";

/** A second list of pairs that were written after the others, with their verdicts. */
const { p, both } = familyOf("further pairs, second list");
const formatted = (format: string): JsonObject => ({ ...text, format });

// Split objects.
both(
  "split, optional kind, anyOf",
  object({ k: { enum: ["a", "b"] }, x: text }),
  { anyOf: [object({ k: { const: "a" }, x: text }), object({ k: { const: "b" }, x: text })] },
  ["none", "none"],
  ["none", "none"],
);
both(
  "split, optional kind, oneOf, which nobody takes by its word",
  object({ k: { enum: ["a", "b"] }, x: text }),
  { oneOf: [object({ k: { const: "a" }, x: text }), object({ k: { const: "b" }, x: text })] },
  ["none", "none"],
  ["none", "none"],
);
const kinds = {
  Cat: object({ k: { const: "cat" }, x: text }, { required: ["k"] }),
  Dog: object({ k: { const: "dog" }, x: text }, { required: ["k"] }),
};
const named = (s: Json, dir: typeof requestOf) => dir(s, { components: { schemas: kinds } });
for (const [n, dir] of [
  ["req", requestOf],
  ["res", responseOf],
] as const)
  p(
    "split into components with mapping " + n,
    named(object({ k: { enum: ["cat", "dog"] }, x: text }, { required: ["k"] }), dir),
    named(
      {
        oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }],
        discriminator: {
          propertyName: "k",
          mapping: { cat: "#/components/schemas/Cat", dog: "#/components/schemas/Dog" },
        },
      },
      dir,
    ),
    "patch",
    "patch",
  );
both(
  "split with null",
  { ...object({ k: { enum: ["a", "b"] } }, { required: ["k"] }), type: ["object", "null"] },
  {
    oneOf: [
      object({ k: { const: "a" } }, { required: ["k"] }),
      object({ k: { const: "b" } }, { required: ["k"] }),
      { type: "null" },
    ],
  },
  ["none", "none"],
  ["none", "none"],
);
both(
  "split by two members",
  object({ k: { enum: ["a", "b"] }, l: { enum: ["c", "d"] } }, { required: ["k", "l"] }),
  {
    oneOf: [
      object({ k: { const: "a" }, l: { const: "c" } }, { required: ["k", "l"] }),
      object({ k: { const: "a" }, l: { const: "d" } }, { required: ["k", "l"] }),
      object({ k: { const: "b" }, l: { enum: ["c", "d"] } }, { required: ["k", "l"] }),
    ],
  },
  ["none", "none"],
  ["none", "none"],
);
both(
  "array of split",
  { type: "array", items: object({ k: { enum: ["a", "b"] } }, { required: ["k"] }) },
  {
    type: "array",
    items: {
      oneOf: [
        object({ k: { const: "a" } }, { required: ["k"] }),
        object({ k: { const: "b" } }, { required: ["k"] }),
      ],
    },
  },
  ["none", "none"],
  ["none", "none"],
);
both(
  "two to three alternatives with same union",
  {
    oneOf: [
      object({ k: { enum: ["a", "b"] }, x: text }, { required: ["k"] }),
      object({ k: { const: "c" }, y: text }, { required: ["k"] }),
    ],
  },
  {
    oneOf: [
      object({ k: { const: "a" }, x: text }, { required: ["k"] }),
      object({ k: { const: "b" }, x: text }, { required: ["k"] }),
      object({ k: { const: "c" }, y: text }, { required: ["k"] }),
    ],
  },
  ["none", "none"],
  ["none", "none"],
);
// Defaults.
p(
  "path param default",
  operationWith({ parameters: [{ name: "q", in: "path", required: true, schema: text }] }),
  operationWith({
    parameters: [{ name: "q", in: "path", required: true, schema: { ...text, default: "x" } }],
  }),
  "minor",
  "patch",
);
p(
  "content param default req->opt",
  operationWith({
    parameters: [
      { name: "q", in: "query", required: true, content: { "application/json": { schema: text } } },
    ],
  }),
  operationWith({
    parameters: [
      {
        name: "q",
        in: "query",
        content: { "application/json": { schema: { ...text, default: "x" } } },
      },
    ],
  }),
  "minor",
  "major",
);
// What formats and keywords imply.
both(
  "int32 exclusiveMax 2^31",
  { ...integer, format: "int32" },
  { ...integer, format: "int32", exclusiveMaximum: 2147483648 },
  ["none", "none"],
  ["none", "none"],
);
both(
  "int32 number type",
  { type: "number", format: "int32" },
  { type: "number", format: "int32", maximum: 2147483647 },
  ["none", "none"],
  ["none", "none"],
);
both(
  "int32 enum member ranges",
  { ...integer, format: "int32", minimum: 1 },
  { ...integer, minimum: 1, maximum: 2147483647 },
  ["none", "none"],
  ["none", "none"],
);
both(
  "int32 in 3.0 exclusive",
  { ...integer, format: "int32" },
  { ...integer, format: "int32", maximum: 2147483648 },
  ["none", "none"],
  ["none", "none"],
);
both(
  "double bounds",
  { type: "number", format: "double" },
  {
    type: "number",
    format: "double",
    minimum: -1.7976931348623157e308,
    maximum: 1.7976931348623157e308,
  },
  ["none", "none"],
  ["none", "none"],
);
both(
  "float bounds",
  { type: "number", format: "float" },
  {
    type: "number",
    format: "float",
    minimum: -3.4028234663852886e38,
    maximum: 3.4028234663852886e38,
  },
  ["none", "none"],
  ["none", "none"],
);
both(
  "ipv4 length",
  formatted("ipv4"),
  { ...formatted("ipv4"), maxLength: 15, minLength: 7 },
  ["none", "none"],
  ["none", "none"],
);
both(
  "uuid pattern",
  formatted("uuid"),
  {
    ...formatted("uuid"),
    pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
  },
  ["none", "none"],
  ["none", "none"],
);
both(
  "date pattern",
  formatted("date"),
  { ...formatted("date"), pattern: "^\\d{4}-\\d{2}-\\d{2}$" },
  ["none", "none"],
  ["none", "none"],
);
both(
  "email minLength 3",
  formatted("email"),
  { ...formatted("email"), minLength: 3 },
  ["none", "none"],
  ["none", "none"],
);
both(
  "minItems 0",
  { type: "array", items: text },
  { type: "array", items: text, minItems: 0, uniqueItems: false },
  ["none", "none"],
  ["none", "none"],
);
both("minLength0", text, { ...text, minLength: 0 }, ["none", "none"], ["none", "none"]);
both(
  "additionalProperties true",
  object({ a: text }),
  object({ a: text }, { additionalProperties: true }),
  ["none", "none"],
  ["none", "none"],
);
both(
  "enum strings minLength",
  { enum: ["ab", "cd"] },
  { type: "string", enum: ["ab", "cd"], minLength: 2, maxLength: 2 },
  ["none", "none"],
  ["none", "none"],
);
both(
  "bool const both",
  { type: "boolean" },
  { oneOf: [{ const: true }, { const: false }] },
  ["none", "none"],
  ["none", "none"],
);

export const secondList = pairs;
