import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../src/json.ts";
import { malformedKeywords } from "../src/read/malformed-keywords.ts";
import { documentOf } from "../src/read/load-document.ts";
import { documentWith, operationWith } from "../src/testing/documents.ts";
import { schemaPlaces } from "./families/pair.ts";
import { pairs } from "./families/all.ts";
import { cases } from "./rule-cases.ts";
import { project } from "./settings-project.ts";

const found = (document: JsonObject) =>
  malformedKeywords(documentOf(document, "test.json")).map(({ message }) => message);

const values: readonly Json[] = [
  null,
  true,
  5,
  -1,
  0.5,
  "5",
  "true",
  "x",
  [],
  [5],
  ["x"],
  {},
  { a: 5 },
];
const kinds: Readonly<Record<string, (value: Json) => boolean>> = {
  number: (value) => typeof value === "number",
  count: (value) => typeof value === "number" && value >= 0 && Number.isInteger(value),
  flag: (value) => typeof value === "boolean",
  text: (value) => typeof value === "string",
  list: (value) => Array.isArray(value),
  schema: (value) => typeof value === "boolean" || isMap(value),
  schemas: (value) => Array.isArray(value) && value.length === 0,
  map: (value) => isMap(value) && Object.keys(value as object).length === 0,
  names: (value) => Array.isArray(value) && value.every((each) => typeof each === "string"),
};
const isMap = (value: Json): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const keywords: Readonly<Record<string, string>> = {
  number: "minimum maximum",
  count:
    "minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains",
  flag: "uniqueItems nullable readOnly writeOnly deprecated",
  text: "pattern format contentEncoding contentMediaType",
  list: "enum",
  schema:
    "items contains additionalProperties unevaluatedProperties unevaluatedItems propertyNames not if then else contentSchema",
  schemas: "allOf anyOf oneOf prefixItems",
  map: "properties patternProperties dependentSchemas dependentRequired $defs",
  names: "required",
};

describe("a keyword of a wrong type is a note", () => {
  const rows = Object.entries(keywords).flatMap(([kind, words]) =>
    words.split(" ").map((keyword) => [keyword, kind] as const),
  );
  test.each(rows)("%s, which is a %s", (keyword, kind) => {
    for (const value of values) {
      for (const [place, at] of Object.entries(schemaPlaces)) {
        const notes = found(at({ [keyword]: value }));
        const words = `${keyword}: ${JSON.stringify(value)} at ${place}`;
        if (kinds[kind]?.(value) === true) expect(notes, words).toEqual([]);
        else {
          expect(notes.length, words).toBeGreaterThan(0);
          for (const note of notes) {
            expect(note, words).toMatch(
              new RegExp(`^${keyword.replace("$", "\\$")}.*: expected .*, got .*; it is ignored$`),
            );
          }
        }
      }
    }
  });

  test.each<[JsonObject, string]>([
    [
      { type: "strng" },
      'type: expected one of string, number, integer, boolean, array, object, null, or a list of them, got "strng"; it is read as a type of its own; did you mean string?',
    ],
    [
      { type: ["string", null] },
      'type: expected one of string, number, integer, boolean, array, object, null, or a list of them, got ["string",null]; it is read as the text "null"',
    ],
    [{ properties: { a: null } }, "properties.a: expected a schema, got null; it is ignored"],
    [{ required: true }, "required: expected a list of names of members, got true; it is ignored"],
    [{ items: [{}] }, "items: expected a schema, got [{}]; it is ignored"],
    [{ multipleOf: 0 }, "multipleOf: expected a number above 0, got 0; it is ignored"],
    [
      { exclusiveMinimum: "1" },
      'exclusiveMinimum: expected a number, or in OpenAPI 3.0 true or false, got "1"; it is ignored',
    ],
    [{ allOf: [{}, "Thing"] }, 'allOf.1: expected a schema, got "Thing"; it is ignored'],
  ])("%j", (schema, message) => {
    const place = schemaPlaces["query parameter"];
    expect(found(place?.(schema) ?? {})).toEqual([message]);
  });

  test.each<[JsonObject, string]>([
    [
      { name: "a", in: "query", required: "true" },
      'required: expected true or false, got "true"; it is ignored',
    ],
    [
      { name: "a", in: "qeury" },
      'in: expected one of query, header, path, cookie, querystring, got "qeury"; did you mean query?',
    ],
    [
      { name: "a", in: "query", explode: "false" },
      'explode: expected true or false, got "false"; it is ignored',
    ],
    [
      { name: "a", in: "query", schema: "string" },
      'schema: expected a schema, got "string"; it is ignored',
    ],
  ])("of a parameter: %j", (parameter, message) => {
    expect(found(operationWith({ parameters: [parameter] }))).toEqual([message]);
  });

  test("of a body, an operation and a header", () => {
    const headers = { "X-A": { required: "yes", schema: {} } };
    const responses = { 200: { description: "Done.", headers } };
    const operation = { requestBody: { required: 1, content: {} }, deprecated: "no", responses };
    expect(found(operationWith(operation)).toSorted()).toEqual([
      'deprecated: expected true or false, got "no"; it is ignored',
      'required: expected true or false, got "yes"; it is ignored',
      "required: expected true or false, got 1; it is ignored",
    ]);
  });
});

test("names and data that look like keywords are none", () => {
  const odd = { maximum: "5", required: "x", type: "y", enum: 3, in: 5, tags: 1 };
  const schema = {
    type: "object",
    properties: Object.fromEntries(Object.keys(odd).map((name) => [name, { type: "string" }])),
    default: odd,
    example: odd,
    examples: [odd],
    const: odd,
    enum: [odd],
    "x-data": odd,
  };
  const place = schemaPlaces["request body"];
  expect(found(place?.(schema) ?? {})).toEqual([]);
  const variables = { tags: { default: "a", enum: ["a"] }, items: { default: "b" } };
  const securitySchemes = { in: { type: "apiKey", in: "header", name: "maximum" } };
  const servers = [{ url: "https://{tags}.example/{items}", variables }];
  const links = {
    in: { operationId: "getThing", parameters: odd, requestBody: "$response.body#/id" },
    tags: { operationId: "getThing", requestBody: odd },
  };
  const examples = { a: { value: odd } };
  const response = { description: "Done.", links };
  expect(
    found(
      documentWith({
        servers,
        paths: { "/things": { get: { responses: { 200: response } } } },
        components: { securitySchemes, examples, links },
      }),
    ),
  ).toEqual([]);
});

test("the pairs of the families and rules have none but those that are meant", () => {
  const documents = [
    ...pairs.flatMap(({ base, revision }) => [base, revision]),
    ...cases.flatMap(([, before, after]) => [before, after]),
  ];
  const notes = new Set(documents.flatMap(found));
  expect([...notes].filter((note) => !/^type: .*(?:"file"|"any")/.test(note))).toEqual([]);
});

test("each has its line, and one that both documents have is told once", async () => {
  const [one, other] = ['"5"', '"6"'].map(
    (limit) =>
      `openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths: {}\ncomponents:\n  schemas:\n    A:\n      type: integer\n      minimum: "1"\n      maximum: ${limit}\n`,
  );
  const { report } = project({ "a.yaml": one ?? "", "b.yaml": other ?? "" });
  const { notes, verdict } = await report("a.yaml", "b.yaml");
  expect(verdict).toBe("none");
  expect(notes).toEqual([
    'a.yaml:9:7: maximum: expected a number, got "5"; it is ignored',
    'b.yaml:8:7: minimum: expected a number, got "1"; it is ignored',
    'b.yaml:9:7: maximum: expected a number, got "6"; it is ignored',
  ]);
});
