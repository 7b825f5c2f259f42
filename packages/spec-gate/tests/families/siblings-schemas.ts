import { familyOf, pairs, integer as int, object as obj, text } from "./pair.ts";

/** Siblings of the pairs in the other files: the same kinds of change at other keywords and places. */
/** Written so, because an object with this member is taken for a promise. */
const [then] = ["then"];

{
  const { sameAnywhere, both } = familyOf("implied constraints, siblings");
  sameAnywhere("minLength 0", text, { ...text, minLength: 0 });
  sameAnywhere(
    "minItems 0",
    { type: "array", items: text },
    { type: "array", items: text, minItems: 0, uniqueItems: false },
  );
  sameAnywhere(
    "additionalProperties true",
    obj({ a: text }),
    obj({ a: text }, { additionalProperties: true, minProperties: 0 }),
  );
  sameAnywhere(
    "additionalProperties {}",
    obj({ a: text }),
    obj({ a: text }, { additionalProperties: {} }),
  );
  sameAnywhere("required []", obj({ a: text }), obj({ a: text }, { required: [] }));
  sameAnywhere("type list", text, { type: ["string"] });
  sameAnywhere("enum dup order", { enum: ["a", "b"] }, { enum: ["b", "a"] });
  sameAnywhere("const enum", { const: "a" }, { type: "string", enum: ["a"] });
  sameAnywhere(
    "exclusive false",
    { type: "number", minimum: 1 },
    { type: "number", minimum: 1, exclusiveMinimum: false },
  );
  sameAnywhere(
    "int32 bounds",
    { type: "integer", format: "int32" },
    { type: "integer", format: "int32", minimum: -2147483648, maximum: 2147483647 },
  );
  sameAnywhere("int64 limits", { type: "integer", format: "int64" }, { type: "integer" });
  sameAnywhere(
    "minimum beside enum",
    { type: "integer", enum: [1, 2] },
    { type: "integer", enum: [1, 2], minimum: 1, maximum: 2 },
  );
  sameAnywhere(
    "maxLength beside enum",
    { ...text, enum: ["a", "bb"] },
    { ...text, enum: ["a", "bb"], maxLength: 2 },
  );
  sameAnywhere(
    "pattern beside enum",
    { ...text, enum: ["a", "bb"] },
    { ...text, enum: ["a", "bb"], pattern: "^[ab]+$" },
  );
  sameAnywhere(
    "uuid length",
    { ...text, format: "uuid" },
    { ...text, format: "uuid", minLength: 36, maxLength: 36 },
  );
  sameAnywhere(
    "date length",
    { ...text, format: "date" },
    { ...text, format: "date", maxLength: 10 },
  );
  sameAnywhere("pattern equal", { ...text, pattern: "^[0-9]+$" }, { ...text, pattern: "^\\d+$" });
  sameAnywhere("pattern unanchored", { ...text, pattern: "a" }, { ...text, pattern: ".*a.*" });
  sameAnywhere(
    "pattern .+",
    { ...text, minLength: 1 },
    { ...text, minLength: 1, pattern: "^[\\s\\S]*$" },
  );
  sameAnywhere("pattern empty", text, { ...text, pattern: "" });
  sameAnywhere(
    "minLength by pattern",
    { ...text, pattern: "^[a-z]{3}$" },
    { ...text, pattern: "^[a-z]{3}$", minLength: 3, maxLength: 3 },
  );
  sameAnywhere(
    "propertyNames string",
    obj({ a: text }),
    obj({ a: text }, { propertyNames: { type: "string" } }),
  );
  sameAnywhere(
    "contains empty",
    { type: "array", items: text, minItems: 1 },
    { type: "array", items: text, minItems: 1, contains: {} },
  );
  sameAnywhere(
    "contains minContains 0",
    { type: "array", items: text },
    { type: "array", items: text, contains: { const: "a" }, minContains: 0 },
  );
  sameAnywhere(
    "max items by unique enum",
    { type: "array", items: { enum: ["a", "b"] }, uniqueItems: true },
    { type: "array", items: { enum: ["a", "b"] }, uniqueItems: true, maxItems: 2 },
  );
  sameAnywhere(
    "maxItems prefix",
    { type: "array", prefixItems: [text, text], items: false },
    { type: "array", prefixItems: [text, text], items: false, maxItems: 2 },
  );
  sameAnywhere(
    "maxProperties closed",
    obj({ a: text }, { additionalProperties: false }),
    obj({ a: text }, { additionalProperties: false, maxProperties: 1 }),
  );
  sameAnywhere("number mult 1", { type: "number", multipleOf: 1 }, { type: "integer" });
  sameAnywhere(
    "multiples",
    { allOf: [{ type: "integer", multipleOf: 4 }, { multipleOf: 6 }] },
    { type: "integer", multipleOf: 12 },
  );
  sameAnywhere(
    "multiple 2 of 4 implied",
    { type: "integer", multipleOf: 4 },
    { allOf: [{ type: "integer", multipleOf: 4 }, { multipleOf: 2 }] },
  );
  sameAnywhere("not not", text, { not: { not: text } });
  sameAnywhere("allOf one", text, { allOf: [text] });
  sameAnywhere("anyOf one", text, { anyOf: [text] });
  sameAnywhere("anyOf dup", { anyOf: [text, text] }, text);
  sameAnywhere(
    "anyOf nested",
    { anyOf: [text, { anyOf: [int, { type: "boolean" }] }] },
    { anyOf: [text, int, { type: "boolean" }] },
  );
  sameAnywhere("types vs anyOf", { type: ["string", "integer"] }, { anyOf: [text, int] });
  sameAnywhere("integer in number", { type: "number" }, { anyOf: [{ type: "number" }, int] });
  sameAnywhere("boolean enum", { type: "boolean" }, { type: "boolean", enum: [true, false] });
  sameAnywhere("nullable type", { type: ["string", "null"] }, { anyOf: [text, { type: "null" }] });
  sameAnywhere(
    "null enum",
    { type: ["string", "null"], enum: ["a", null] },
    { anyOf: [{ type: "string", enum: ["a"] }, { type: "null" }] },
  );
  sameAnywhere(
    "dependentRequired",
    obj({ a: text, b: text }, { dependentRequired: { a: ["b"] } }),
    obj({ a: text, b: text }, { if: { required: ["a"] }, [then]: { required: ["b"] } }),
  );
  sameAnywhere(
    "dependentSchemas required",
    obj({ a: text, b: text }, { dependentRequired: { a: ["b"] } }),
    obj({ a: text, b: text }, { dependentSchemas: { a: { required: ["b"] } } }),
  );
  sameAnywhere(
    "dependentRequired when required",
    obj({ a: text, b: text }, { required: ["a", "b"] }),
    obj({ a: text, b: text }, { required: ["a", "b"], dependentRequired: { a: ["b"] } }),
  );
  sameAnywhere(
    "dependentRequired empty",
    obj({ a: text }),
    obj({ a: text }, { dependentRequired: { a: [] } }),
  );
  sameAnywhere("if true", text, { ...text, if: {}, [then]: {} });
  sameAnywhere(
    "min items from contains",
    { type: "array", items: text, contains: { const: "a" }, minContains: 2 },
    { type: "array", items: text, contains: { const: "a" }, minContains: 2, minItems: 2 },
  );
  sameAnywhere("byte", { ...text, format: "byte" }, { ...text, contentEncoding: "base64" });
  sameAnywhere(
    "base64url",
    { ...text, format: "base64url" },
    { ...text, contentEncoding: "base64url" },
  );
  both(
    "required fg to oneOf",
    obj({ f: text, g: text }, { required: ["f", "g"] }),
    obj({ f: text, g: text }, { oneOf: [{ required: ["f"] }, { required: ["g"] }] }),
    ["major", "major"],
    ["major", "major"],
  );
  both(
    "required fg to anyOf",
    obj({ f: text, g: text }, { required: ["f", "g"] }),
    obj({ f: text, g: text }, { anyOf: [{ required: ["f"] }, { required: ["g"] }] }),
    ["minor", "major"],
    ["major", "patch"],
  );
  both(
    "required f to oneOf f g",
    obj({ f: text, g: text }, { required: ["f"] }),
    obj({ f: text, g: text }, { oneOf: [{ required: ["f"] }, { required: ["g"] }] }),
    ["major", "major"],
    ["major", "major"],
  );
  both(
    "overlap begins",
    {
      oneOf: [
        { type: "string", maxLength: 3 },
        { type: "string", minLength: 5 },
      ],
    },
    {
      oneOf: [
        { type: "string", maxLength: 3 },
        { type: "string", minLength: 2 },
      ],
    },
    ["major", "major"],
    ["major", "major"],
  );
  both(
    "anyOf overlap to oneOf",
    {
      anyOf: [
        { type: "integer", minimum: 0 },
        { type: "integer", multipleOf: 2 },
      ],
    },
    {
      oneOf: [
        { type: "integer", minimum: 0 },
        { type: "integer", multipleOf: 2 },
      ],
    },
    ["major", "minor"],
    ["patch", "major"],
  );
  both(
    "anyOf objects overlap to oneOf",
    { anyOf: [obj({ a: text }, { required: ["a"] }), obj({ b: text }, { required: ["b"] })] },
    { oneOf: [obj({ a: text }, { required: ["a"] }), obj({ b: text }, { required: ["b"] })] },
    ["major", "minor"],
    ["patch", "major"],
  );
  both(
    "disjoint by const",
    {
      anyOf: [
        obj({ k: { const: "a" } }, { required: ["k"] }),
        obj({ k: { const: "b" } }, { required: ["k"] }),
      ],
    },
    {
      oneOf: [
        obj({ k: { const: "a" } }, { required: ["k"] }),
        obj({ k: { const: "b" } }, { required: ["k"] }),
      ],
    },
    ["none", "none"],
    ["none", "none"],
  );
}

export const siblingsSchemas = pairs;
