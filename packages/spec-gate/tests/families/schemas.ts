import type { Json, JsonObject } from "../../src/json.ts";
import { requestOf, responseOf } from "../../src/testing/documents.ts";
import { integer, object, pairs, pair, same, text, wider } from "./pair.ts";

// Alternatives.
const either = (keyword: string, ...all: readonly Json[]) => ({ [keyword]: [...all] });
const member = (name: string, more: JsonObject = {}) =>
  object({ [name]: text }, { required: [name], ...more });
wider(
  "alternatives",
  "oneOf of overlapping branches becomes anyOf",
  either("oneOf", { type: "string", maxLength: 5 }, { type: "string", minLength: 3 }),
  either("anyOf", { type: "string", maxLength: 5 }, { type: "string", minLength: 3 }),
);
const ranges = (second: number) =>
  either(
    "oneOf",
    { type: "integer", minimum: 0, maximum: 10 },
    { type: "integer", minimum: second, maximum: 20 },
  );
pair(
  "alternatives",
  "a branch that begins to overlap",
  requestOf(ranges(11)),
  requestOf(ranges(5)),
  "major",
  "minor",
);
same(
  "alternatives",
  "anyOf of disjoint branches becomes oneOf",
  either("anyOf", text, integer),
  either("oneOf", text, integer),
);
for (const [place, at] of [
  ["request", requestOf],
  ["response", responseOf],
] as const) {
  pair(
    "alternatives",
    `two required members become one of two, ${place}`,
    at(object({ f: text, g: text }, { required: ["f", "g"] })),
    at({ ...object({ f: text, g: text }), oneOf: [{ required: ["f"] }, { required: ["g"] }] }),
    "major",
    "major",
  );
}
same(
  "alternatives",
  "the order of branches",
  either("oneOf", member("a"), member("b")),
  either("oneOf", member("b"), member("a")),
);
same(
  "alternatives",
  "titles swapped between branches",
  either("oneOf", { ...member("a"), title: "A" }, { ...member("b"), title: "B" }),
  either("oneOf", { ...member("a"), title: "B" }, { ...member("b"), title: "A" }),
);
const swappedNames = (a: string, b: string) => (at: typeof requestOf) =>
  at(
    { oneOf: [{ $ref: `#/components/schemas/${a}` }, { $ref: `#/components/schemas/${b}` }] },
    { components: { schemas: { [a]: member("a"), [b]: member("b") } } },
  );
for (const [place, at] of [
  ["request", requestOf],
  ["response", responseOf],
] as const) {
  pair(
    "alternatives",
    `names swapped between components, ${place}`,
    swappedNames("A", "B")(at),
    swappedNames("B", "A")(at),
    "none",
    "none",
  );
}

// Constraints that others imply.
same(
  "implied constraints",
  "minProperties beside required",
  object({ a: text }, { required: ["a"] }),
  object({ a: text }, { required: ["a"], minProperties: 1 }),
);
same(
  "implied constraints",
  "minContains 0",
  { type: "array", items: text },
  { type: "array", items: text, contains: { const: "a" }, minContains: 0 },
);
same(
  "implied constraints",
  "int32 beside 0 to 100",
  { type: "integer", minimum: 0, maximum: 100 },
  { type: "integer", format: "int32", minimum: 0, maximum: 100 },
);
same(
  "implied constraints",
  "maxLength beside a bounded pattern",
  { type: "string", pattern: "^[a-z]{1,5}$" },
  { type: "string", pattern: "^[a-z]{1,5}$", maxLength: 5, minLength: 1 },
);
same(
  "implied constraints",
  "an enumeration equal to a pattern",
  { type: "string", enum: ["a", "b"] },
  { type: "string", pattern: "^(a|b)$" },
);
same(
  "implied constraints",
  "multipleOf 2 and 3 to 6",
  { type: "integer", allOf: [{ multipleOf: 2 }, { multipleOf: 3 }] },
  { type: "integer", multipleOf: 6 },
);
same(
  "implied constraints",
  "number with multipleOf 1 to integer",
  { type: "number", multipleOf: 1 },
  { type: "integer" },
);
same(
  "implied constraints",
  "multipleOf 1 beside integer",
  { type: "integer" },
  { type: "integer", multipleOf: 1 },
);
for (const pattern of [".*", "^", "$", "^.*", "(?:)", "[\\s\\S]*"]) {
  same("implied constraints", `the pattern ${pattern}`, text, { type: "string", pattern });
}
same(
  "implied constraints",
  "minLength 0 and minItems 0",
  object({ a: text, b: { type: "array", items: text } }),
  object({
    a: { ...text, minLength: 0 },
    b: { type: "array", items: text, minItems: 0, uniqueItems: false },
  }),
);
same(
  "implied constraints",
  "uniqueItems of at most one",
  { type: "array", items: text, maxItems: 1 },
  { type: "array", items: text, maxItems: 1, uniqueItems: true },
);
same(
  "implied constraints",
  "maxProperties beside a closed object",
  object({ a: text }, { additionalProperties: false }),
  object({ a: text }, { additionalProperties: false, maxProperties: 1 }),
);
wider(
  "implied constraints",
  "a pattern that is not implied",
  { type: "string", maxLength: 4, pattern: "^[a-z]{1,5}$" },
  { type: "string", pattern: "^[a-z]{1,5}$" },
);

// Dependencies.
const ab = object({ a: text, b: text });
same(
  "dependencies",
  "dependentRequired as dependentSchemas",
  { ...ab, dependentRequired: { a: ["b"] } },
  { ...ab, dependentSchemas: { a: { required: ["b"] } } },
);
same(
  "dependencies",
  "a dependency of a required member",
  { ...ab, required: ["a", "b"] },
  { ...ab, required: ["a", "b"], dependentRequired: { a: ["b"] } },
);
same(
  "dependencies",
  "dependentRequired as if and then",
  { ...ab, dependentRequired: { a: ["b"] } },
  JSON.parse(
    `${JSON.stringify(ab).slice(0, -1)},"if":{"required":["a"]},"then":{"required":["b"]}}`,
  ) as Json,
);

export const schemaPairs = pairs;
