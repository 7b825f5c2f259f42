import { familyOf, integer as int, object as obj, pairs, text, wider } from "./pair.ts";

const [then] = ["then"];

/** More schemas that allow the same, or more. */
const family = "schemas, siblings";
const { sameAnywhere } = familyOf(family);
sameAnywhere(
  "nested allOf",
  { allOf: [{ allOf: [text, { maxLength: 3 }] }] },
  { ...text, maxLength: 3 },
);
sameAnywhere(
  "allOf distribute",
  { allOf: [obj({ a: text }), obj({ b: text })] },
  obj({ a: text, b: text }),
);
sameAnywhere(
  "allOf required",
  { allOf: [obj({ a: text }), { required: ["a"] }] },
  obj({ a: text }, { required: ["a"] }),
);
sameAnywhere(
  "anyOf factored",
  { type: "object", properties: { a: text }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
  { anyOf: [obj({ a: text }, { required: ["a"] }), obj({ a: text }, { required: ["b"] })] },
);
sameAnywhere("enum split", { anyOf: [{ const: "a" }, { const: "b" }] }, { enum: ["a", "b"] });
sameAnywhere(
  "oneOf consts",
  { oneOf: [{ const: "a", title: "A" }, { const: "b" }] },
  { type: "string", enum: ["a", "b"] },
);
sameAnywhere(
  "integer anyOf range",
  {
    anyOf: [
      { type: "integer", minimum: 0, maximum: 4 },
      { type: "integer", minimum: 5 },
    ],
  },
  { type: "integer", minimum: 0 },
);
sameAnywhere("excl int", { type: "integer", exclusiveMinimum: 0 }, { type: "integer", minimum: 1 });
sameAnywhere(
  "min max len const",
  { ...text, minLength: 2, maxLength: 2 },
  { ...text, allOf: [{ minLength: 2 }, { maxLength: 2 }] },
);
sameAnywhere(
  "pattern classes",
  { ...text, pattern: "^[A-Z]{2,2}$" },
  { ...text, pattern: "^[A-Z][A-Z]$" },
);
sameAnywhere("pattern alt", { ...text, pattern: "^(a|b)$" }, { ...text, enum: ["a", "b"] });
sameAnywhere(
  "pattern digit enum",
  { ...text, pattern: "^[0-9]$" },
  { ...text, enum: ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"] },
);
sameAnywhere(
  "prefixItems empty",
  { type: "array", items: text },
  { type: "array", items: text, prefixItems: [] },
);
sameAnywhere(
  "prefix equal to items",
  { type: "array", items: text },
  { type: "array", prefixItems: [text], items: text },
);
sameAnywhere(
  "patternProperties all",
  obj({}, { additionalProperties: text }),
  obj({}, { patternProperties: { "": text } }),
);
sameAnywhere(
  "patternProperties .*",
  obj({}, { additionalProperties: text }),
  obj({}, { patternProperties: { "^.*$": text } }),
);
sameAnywhere(
  "additional false vs unevaluated",
  obj({ a: text }, { additionalProperties: false }),
  obj({ a: text }, { unevaluatedProperties: false }),
);
sameAnywhere(
  "additional in allOf unevaluated",
  { allOf: [obj({ a: text })], unevaluatedProperties: false },
  obj({ a: text }, { additionalProperties: false }),
);
sameAnywhere(
  "not const vs enum",
  { type: "boolean", not: { const: true } },
  { type: "boolean", enum: [false] },
);
sameAnywhere(
  "not enum",
  { type: "integer", minimum: 1, maximum: 3, not: { const: 2 } },
  { enum: [1, 3] },
);
sameAnywhere("nullable any", {}, { nullable: true });
sameAnywhere("items true", { type: "array" }, { type: "array", items: true });
sameAnywhere(
  "default annotation only in response",
  { ...text, title: "a" },
  { ...text, title: "b" },
);
sameAnywhere(
  "min items by prefix required?",
  { type: "array", maxItems: 0 },
  { type: "array", maxItems: 0, items: text },
);
sameAnywhere(
  "format int32 on const",
  { type: "integer", enum: [1, 2] },
  { type: "integer", format: "int32", enum: [1, 2] },
);
sameAnywhere("number double", { type: "number" }, { type: "number", format: "double" });
sameAnywhere(
  "pattern of minLength",
  { ...text, pattern: "^.{3,}$" },
  { ...text, pattern: "^.{3,}$", minLength: 3 },
);
sameAnywhere(
  "multipleOf 0.01 twice",
  { type: "number", multipleOf: 0.01 },
  { allOf: [{ type: "number", multipleOf: 0.01 }, { multipleOf: 0.001 }] },
);
sameAnywhere("multipleOf 1 integer", int, { ...int, multipleOf: 1 });
sameAnywhere(
  "enum integer-valued float",
  { type: "number", enum: [1, 2] },
  { type: "integer", enum: [1, 2] },
);
sameAnywhere(
  "uniqueItems const max1",
  { type: "array", maxItems: 1 },
  { type: "array", maxItems: 1, uniqueItems: true },
);
sameAnywhere(
  "required implied by dependent",
  obj({ a: text, b: text }, { required: ["a"], dependentRequired: { a: ["b"] } }),
  obj({ a: text, b: text }, { required: ["a", "b"] }),
);
sameAnywhere(
  "minProperties by required allOf",
  { allOf: [obj({ a: text, b: text }, { required: ["a"] }), { required: ["b"] }] },
  obj({ a: text, b: text }, { required: ["a", "b"], minProperties: 2 }),
);
sameAnywhere(
  "propertyNames maxLength implied closed",
  obj({ ab: text }, { additionalProperties: false }),
  obj({ ab: text }, { additionalProperties: false, propertyNames: { maxLength: 2 } }),
);
sameAnywhere(
  "maxProperties by names enum",
  obj({}, { propertyNames: { enum: ["a", "b"] } }),
  obj({}, { propertyNames: { enum: ["a", "b"] }, maxProperties: 2 }),
);
wider(family, "minLength", { ...text, minLength: 2 }, { ...text, minLength: 1 });
wider(family, "pattern", { ...text, pattern: "^a+$" }, { ...text, pattern: "^[ab]+$" });
wider(family, "format", { ...text, format: "uuid" }, text);
wider(family, "contains", { type: "array", contains: { const: "a" } }, { type: "array" });
wider(
  family,
  "maxContains",
  { type: "array", contains: { const: "a" }, maxContains: 1 },
  { type: "array", contains: { const: "a" }, maxContains: 2 },
);
wider(
  family,
  "tuple",
  { type: "array", prefixItems: [text], items: false },
  { type: "array", prefixItems: [text, text], items: false },
);
wider(family, "uniqueItems", { type: "array", uniqueItems: true }, { type: "array" });
wider(
  family,
  "dependentRequired",
  obj({ a: text, b: text }, { dependentRequired: { a: ["b"] } }),
  obj({ a: text, b: text }),
);
wider(
  family,
  "dependentSchemas to subset",
  obj({ a: text, b: text }, { dependentSchemas: { a: { required: ["b", "c"] } } }),
  obj({ a: text, b: text }, { dependentRequired: { a: ["b"] } }),
);
wider(
  family,
  "minProperties",
  obj({ a: text, b: text }, { minProperties: 2 }),
  obj({ a: text, b: text }, { minProperties: 1 }),
);
wider(family, "propertyNames", obj({}, { propertyNames: { pattern: "^a" } }), obj({}));
wider(family, "not", { ...text, not: { const: "a" } }, text);
wider(
  family,
  "oneOf to anyOf overlapping",
  {
    oneOf: [
      { type: "integer", multipleOf: 2 },
      { type: "integer", multipleOf: 3 },
    ],
  },
  {
    anyOf: [
      { type: "integer", multipleOf: 2 },
      { type: "integer", multipleOf: 3 },
    ],
  },
);
wider(family, "const to enum", { const: "a" }, { enum: ["a", "b"] });
wider(family, "integer", int, { type: "number" });
wider(family, "bound", { type: "number", exclusiveMinimum: 1 }, { type: "number", minimum: 1 });
wider(family, "int range and format", { ...int, format: "int32" }, { ...int, format: "int64" });
wider(family, "uint", { ...int, minimum: 0 }, int);
wider(family, "multipleOf", { ...int, multipleOf: 4 }, { ...int, multipleOf: 2 });
wider(family, "maxItems", { type: "array", maxItems: 2 }, { type: "array", maxItems: 3 });
wider(
  family,
  "items",
  { type: "array", items: { ...text, maxLength: 2 } },
  { type: "array", items: text },
);
wider(
  family,
  "additional schema",
  obj({}, { additionalProperties: int }),
  obj({}, { additionalProperties: { type: "number" } }),
);
wider(
  family,
  "patternProperties",
  obj({}, { patternProperties: { "^x": int } }),
  obj({}, { patternProperties: { "^x": { type: "number" } } }),
);
wider(
  family,
  "if then",
  obj(
    { a: text, b: text },
    { if: { properties: { a: { const: "x" } }, required: ["a"] }, [then]: { required: ["b"] } },
  ),
  obj({ a: text, b: text }),
);

export const siblingsMoreSchemas = pairs;
