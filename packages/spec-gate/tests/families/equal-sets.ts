import type { Json, JsonObject } from "../../src/json.ts";
import { operationWith } from "../../src/testing/documents.ts";
import { familyOf, integer, object, pairs, text } from "./pair.ts";

/** Pairs of schemas and lists that are written in other ways and allow the same values. */
const { p, both, sameAnywhere } = familyOf("equal sets");
const same = (name: string, one: Json, other: Json): void =>
  both(name, one, other, ["none", "none"], ["none", "none"]);
const wider = (name: string, narrow: Json, wide: Json): void =>
  both(name, narrow, wide, ["minor", "major"], ["major", "patch"]);
/** Nobody awaits these objects. */
const [then] = ["then"];
const number = { type: "number" };

// Enumerations are limited by the type.
sameAnywhere(
  "an enumeration, a number beside texts",
  { ...text, enum: ["a", 1] },
  { ...text, enum: ["a"] },
);
same(
  "an enumeration, a truth value beside texts",
  { ...text, enum: ["a", true] },
  { ...text, enum: ["a"] },
);
same(
  "an enumeration, a text beside integers",
  { ...integer, enum: [1, "2"] },
  { ...integer, enum: [1] },
);
same(
  "an enumeration, a fraction beside integers",
  { ...integer, enum: [1, 1.5] },
  { ...integer, enum: [1] },
);
same(
  "an enumeration, an object beside texts",
  { ...text, enum: ["a", {}] },
  { ...text, const: "a" },
);
same(
  "an enumeration, only unquoted numbers",
  { ...text, enum: [1, 2] },
  { ...text, enum: ["1", "2"] },
);
wider("an enumeration gets a type", { ...text, enum: ["a", 1] }, { enum: ["a", 1] });
wider(
  "an enumeration gets a text for its number",
  { ...text, enum: ["a", 1] },
  { ...text, enum: ["a", "1"] },
);

// Conditions that are always or never true.
const k = object({ k: text, l: text });
const [needsK, needsL] = [{ required: ["k"] }, { required: ["l"] }];
for (const always of [true, {}]) {
  const name = `if: ${JSON.stringify(always)}`;
  same(`${name} and then`, { ...k, if: always, [then]: needsK, else: false }, { ...k, ...needsK });
  same(`${name} and else`, { ...k, if: always, else: needsK }, k);
  same(
    `${name} and then, a text`,
    { ...text, if: always, [then]: { minLength: 2 } },
    { ...text, minLength: 2 },
  );
  same(`${name} and then, a member`, { type: "object", if: always, [then]: k }, k);
  wider(
    `${name} and a wider then`,
    { ...integer, if: always, [then]: { minimum: 2 } },
    { ...integer, minimum: 1 },
  );
}
same("if: false and else", { ...k, if: false, [then]: needsL, else: needsK }, { ...k, ...needsK });
same("if: false and then", { ...k, if: false, [then]: needsK }, k);
same(
  "if: true and [then]: false in a branch",
  { anyOf: [text, { ...integer, if: true, [then]: false }] },
  text,
);
same("if: true and null", { type: ["string", "null"], if: true, [then]: text }, text);

// Formats apply to types.
sameAnywhere("a format of texts on an integer", { ...integer, format: "date" }, integer);
same("the format byte on a number", { ...number, format: "byte" }, number);
for (const format of ["date-time", "uuid", "email", "uri"]) {
  same(`the format ${format} on a number`, { ...number, format }, number);
  wider(
    `the format ${format} on a text or an integer`,
    { type: ["string", "integer"], format },
    { type: ["string", "integer"] },
  );
}
for (const format of ["int32", "float", "double"]) {
  same(`the format ${format} on a text`, { ...text, format }, text);
}
same(
  "the format date on a text or an integer",
  { type: ["string", "integer"], format: "date" },
  { anyOf: [{ ...text, format: "date" }, integer] },
);
wider("the format int32 on an integer", { ...integer, format: "int32" }, integer);
wider("the format date on a text", { ...text, format: "date" }, text);
wider("a format of nobody on an integer", { ...integer, format: "odd" }, integer);

// Multiples.
sameAnywhere("integers of 2.5", { ...integer, multipleOf: 2.5 }, { ...integer, multipleOf: 5 });
same("integers of 0.1", { ...integer, multipleOf: 0.1 }, integer);
same("integers of 1.5", { ...integer, multipleOf: 1.5 }, { ...integer, multipleOf: 3 });
same(
  "numbers of 0.5 and 0.2",
  { allOf: [{ ...number, multipleOf: 0.5 }, { multipleOf: 0.2 }] },
  { ...number, multipleOf: 1 },
);
same(
  "numbers of 0.4 and 0.6",
  { allOf: [{ ...number, multipleOf: 0.4 }, { multipleOf: 0.6 }] },
  { ...number, multipleOf: 1.2 },
);
sameAnywhere(
  "multiples of 10 up to 99",
  { ...integer, multipleOf: 10, maximum: 99 },
  { ...integer, multipleOf: 10, maximum: 90 },
);
same(
  "multiples of 10 from 1 on",
  { ...integer, multipleOf: 10, minimum: 1 },
  { ...integer, multipleOf: 10, minimum: 10 },
);
same(
  "multiples of 10 below 100",
  { ...integer, multipleOf: 10, exclusiveMaximum: 100 },
  { ...integer, multipleOf: 10, maximum: 90 },
);
same(
  "multiples of 10 from -99 on",
  { ...integer, multipleOf: 10, minimum: -99 },
  { ...integer, multipleOf: 10, exclusiveMinimum: -100 },
);
same(
  "multiples of 0.1 up to 0.35",
  { ...number, multipleOf: 0.1, maximum: 0.35 },
  { ...number, multipleOf: 0.1, maximum: 0.3 },
);
same(
  "multiples of 0.25 from -1.1 on",
  { ...number, multipleOf: 0.25, minimum: -1.1 },
  { ...number, multipleOf: 0.25, minimum: -1 },
);
same(
  "multiples of 10 in int32",
  { ...integer, format: "int32", multipleOf: 10 },
  { ...integer, format: "int32", multipleOf: 10, maximum: 2147483647 },
);
same(
  "multiples of 10 in int64",
  { ...integer, multipleOf: 10 },
  { ...integer, multipleOf: 10, maximum: 9223372036854775807n, minimum: -9223372036854775808n },
);
same(
  "large multiples",
  { ...integer, multipleOf: 10, maximum: 9007199254740999n },
  { ...integer, multipleOf: 10, maximum: 9007199254740990 },
);
wider(
  "multiples of 10 up to 99 and 100",
  { ...integer, multipleOf: 10, maximum: 99 },
  { ...integer, multipleOf: 10, maximum: 100 },
);
wider("multiples of 5 and of 2.5", { ...number, multipleOf: 5 }, { ...number, multipleOf: 2.5 });

// Dependent members.
const ab = object({ a: text, b: text, c: text });
sameAnywhere("a member requires itself", { ...ab, dependentRequired: { a: ["a"] } }, ab);
same("a member requires nothing", { ...ab, dependentRequired: { a: [] } }, ab);
same(
  "a member requires itself and another",
  { ...ab, dependentRequired: { a: ["a", "b"] } },
  { ...ab, dependentRequired: { a: ["b"] } },
);
same(
  "a member requires itself by a schema",
  { ...ab, dependentSchemas: { a: { required: ["a"] } } },
  ab,
);
same(
  "a member requires another, which requires a third",
  { ...ab, dependentRequired: { a: ["b"], b: ["c"] } },
  { ...ab, dependentRequired: { a: ["b", "c"], b: ["c"] } },
);
wider("a member requires another", { ...ab, dependentRequired: { a: ["a", "b"] } }, ab);

// Excluded ranges.
const not = (schema: Json): JsonObject => ({ not: schema });
sameAnywhere(
  "neither from 10 on nor up to 0",
  { ...integer, ...not({ anyOf: [{ minimum: 10 }, { maximum: 0 }] }) },
  { ...integer, exclusiveMinimum: 0, exclusiveMaximum: 10 },
);
same("not from 10 on", { ...number, ...not({ minimum: 10 }) }, { ...number, exclusiveMaximum: 10 });
same("not above 10", { ...number, ...not({ exclusiveMinimum: 10 }) }, { ...number, maximum: 10 });
same(
  "not above 10, with the type",
  { ...number, ...not({ ...number, exclusiveMinimum: 10 }) },
  { ...number, maximum: 10 },
);
same(
  "not from 3 to 5",
  { ...integer, ...not({ minimum: 3, maximum: 5 }) },
  {
    anyOf: [
      { ...integer, maximum: 2 },
      { ...integer, minimum: 6 },
    ],
  },
);
same("no long text", { ...text, ...not({ minLength: 5 }) }, { ...text, maxLength: 4 });
same("no empty text", { ...text, ...not({ maxLength: 0 }) }, { ...text, minLength: 1 });
same(
  "no empty list",
  { type: "array", items: text, ...not({ maxItems: 0 }) },
  { type: "array", items: text, minItems: 1 },
);
same(
  "none of two patterns",
  { ...text, ...not({ anyOf: [{ pattern: "^a" }, { pattern: "^b" }] }) },
  { ...text, allOf: [not({ pattern: "^a" }), not({ pattern: "^b" })] },
);
same(
  "none of two members",
  { ...ab, ...not({ anyOf: [needsK, needsL] }) },
  { ...ab, allOf: [not(needsK), not(needsL)] },
);
wider(
  "not from 10 on, then from 11 on",
  { ...integer, ...not({ minimum: 10 }) },
  { ...integer, ...not({ minimum: 11 }) },
);
wider(
  "one of two patterns is allowed",
  { ...text, ...not({ anyOf: [{ pattern: "^a" }, { pattern: "^b" }] }) },
  { ...text, ...not({ pattern: "^a" }) },
);

// Numbers up to 5 match both alternatives, and are allowed.
both(
  "not exactly one of two ranges",
  {
    ...number,
    ...not({
      oneOf: [
        { ...number, maximum: 8 },
        { ...number, maximum: 5 },
      ],
    }),
    maximum: 8,
  },
  { ...number, minimum: 6, maximum: 8 },
  ["major", "major"],
  ["major", "major"],
);

// Lists in a query.
const list = { type: "array", items: text };
const query = (schema: JsonObject, more: JsonObject = {}) =>
  operationWith({ parameters: [{ name: "q", in: "query", schema, ...more }] });
const one = { ...list, maxItems: 1 };
p("a list of one, explode", query(one), query(one, { explode: false }), "none", "none");
p(
  "a list of one, style",
  query(one, { explode: false }),
  query(one, { style: "pipeDelimited", explode: false }),
  "none",
  "none",
);
p("a list of one grows and changes", query(one), query(list, { explode: false }), "minor", "major");
p(
  "a list of two, explode",
  query({ ...list, maxItems: 2 }),
  query({ ...list, maxItems: 2 }, { explode: false }),
  "major",
  "major",
);
p("an optional list, not empty", query(list), query({ ...list, minItems: 1 }), "none", "none");
p(
  "an optional list, joined, not empty",
  query(list, { explode: false }),
  query({ ...list, minItems: 1 }, { explode: false }),
  "none",
  "none",
);
p(
  "an optional list of two",
  query({ ...list, minItems: 1 }),
  query({ ...list, minItems: 2 }),
  "major",
  "minor",
);
p(
  "a required list, not empty",
  query(list, { required: true }),
  query({ ...list, minItems: 1 }, { required: true }),
  "major",
  "minor",
);
p(
  "lists in an optional list, not empty",
  query({ type: "array", items: list }),
  query({ type: "array", items: { ...list, minItems: 1 } }),
  "major",
  "minor",
);

export const equalSets = pairs;
