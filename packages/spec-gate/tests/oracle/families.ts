import type { Json, JsonObject } from "../../src/json.ts";

/** Small schemas by family, and the instances that tell them apart. */
const text = { type: "string" };
const members = { a: { type: "integer" }, b: text };
/** Objects whose member `a` has listed values. */
const split = (values: readonly number[], more: JsonObject = {}) => ({
  type: "object",
  properties: { a: { enum: [...values] }, b: { ...text, ...more } },
  required: ["a"],
});
export const families: Readonly<Record<string, readonly Json[]>> = {
  numbers: [
    { type: "number" },
    { type: "integer" },
    { type: "number", minimum: 1 },
    { type: "number", exclusiveMinimum: 1 },
    { type: "number", maximum: 2 },
    { type: "number", exclusiveMaximum: 2 },
    { type: "number", multipleOf: 0.5 },
    { type: "number", multipleOf: 2 },
    { type: "integer", minimum: 0, maximum: 2 },
    { enum: [0, 1, 2] },
    { const: 1 },
  ],
  strings: [
    text,
    { ...text, minLength: 1 },
    { ...text, minLength: 2 },
    { ...text, maxLength: 1 },
    { ...text, maxLength: 2 },
    { ...text, pattern: "^a" },
    { ...text, pattern: "^[ab]$" },
    { enum: ["a", "b"] },
    { const: "a" },
    { ...text, not: { const: "a" } },
  ],
  types: [
    {},
    text,
    { type: "integer" },
    { type: "boolean" },
    { type: ["string", "null"] },
    { type: ["string", "integer"] },
    { anyOf: [text, { type: "null" }] },
    { oneOf: [text, { type: "integer" }] },
  ],
  lists: [
    { type: "array", items: { type: "integer" } },
    { type: "array", items: { type: "integer" }, minItems: 1 },
    { type: "array", items: { type: "integer" }, maxItems: 1 },
    { type: "array", items: { type: "integer" }, maxItems: 1, uniqueItems: true },
    { type: "array", items: { type: "integer" }, uniqueItems: true },
    { type: "array", items: { type: "integer", minimum: 1 } },
    { type: "array", items: { type: "integer" }, contains: { const: 1 } },
    { type: "array", items: { type: "integer" }, contains: { const: 1 }, minContains: 2 },
  ],
  objects: [
    { type: "object", properties: members },
    { type: "object", properties: members, required: ["a"] },
    { type: "object", properties: members, required: ["a", "b"] },
    { type: "object", properties: members, minProperties: 1 },
    { type: "object", properties: members, maxProperties: 1 },
    { type: "object", properties: members, dependentRequired: { a: ["b"] } },
    { type: "object", properties: members, dependentSchemas: { a: { required: ["b"] } } },
    { type: "object", properties: { ...members, a: { type: "integer", minimum: 1 } } },
  ],
  splits: [
    split([0, 1]),
    split([0]),
    split([0, 1, 2]),
    { oneOf: [split([0]), split([1])] },
    { anyOf: [split([0]), split([1])] },
    { oneOf: [split([0]), split([1], { minLength: 1 })] },
    { oneOf: [split([0]), split([1]), split([2])] },
    { oneOf: [split([0, 1]), split([2])] },
    { oneOf: [split([0, 2]), split([1])] },
    { oneOf: [split([0], { minLength: 1 }), split([1, 2])] },
  ],
  alternatives: [
    {
      oneOf: [
        { type: "integer", maximum: 1 },
        { type: "integer", minimum: 2 },
      ],
    },
    {
      anyOf: [
        { type: "integer", maximum: 1 },
        { type: "integer", minimum: 2 },
      ],
    },
    {
      oneOf: [
        { type: "integer", maximum: 1 },
        { type: "integer", minimum: 1 },
      ],
    },
    {
      anyOf: [
        { type: "integer", maximum: 1 },
        { type: "integer", minimum: 1 },
      ],
    },
    {
      anyOf: [
        { type: "integer", maximum: 0 },
        { type: "integer", minimum: 2 },
      ],
    },
    { type: "integer" },
  ],
};

export const scalars: readonly Json[] = [
  null,
  true,
  -1,
  0,
  0.25,
  0.5,
  1,
  1.5,
  2,
  3,
  4,
  -0.5,
  0.75,
  1.25,
  2.5,
  "bc",
  "ba",
  "",
  "a",
  "b",
  "c",
  "ab",
  "abc",
];
export const instances: readonly Json[] = [
  ...scalars,
  [],
  [0],
  [1],
  [1, 1],
  [0, 1],
  [2, 3],
  [2],
  [1, 0],
  [1, 1, 0],
  ["a"],
  {},
  { a: 0 },
  { a: 1 },
  { b: "a" },
  { a: 0, b: "a" },
  { a: 1, b: "" },
  { a: 2 },
  { a: 2, b: "" },
  { a: 0, b: "" },
];
