import { expect, test } from "vitest";
import type { OpenApiDocument } from "../document.ts";
import { bodyFql, fqlTablesOf } from "./fql-uses.ts";

const filter = { use: "filter", resource: "things", fields: { id: { type: "string" } } };
const text = { type: "string", "x-fql": filter };

const document = (schemas: object, other: object = {}) =>
  ({ components: { schemas }, ...other }) as unknown as OpenApiDocument;

test("uses in a body are found through references, lists, maps and alternatives, without endless recursion", () => {
  const source = document({
    Spec: {
      properties: {
        filter: text,
        named: { additionalProperties: text },
        parts: { type: "array", items: { $ref: "#/components/schemas/Spec" } },
      },
    },
  });
  const schema = {
    oneOf: [
      { $ref: "#/components/schemas/Spec" },
      { type: "array", items: { $ref: "#/components/schemas/Spec" } },
    ],
  };
  const use = { use: "filter", resource: "things" };
  expect(bodyFql(source, schema)).toEqual([
    { path: "filter", ...use },
    { path: "named.*", ...use },
    { path: "[].filter", ...use },
    { path: "[].named.*", ...use },
  ]);
});

test("tables are collected from uses and from x-fql-tables, sorted", () => {
  const source = document(
    { Source: { "x-fql-tables": { others: { id: { type: "number" } } } } },
    { paths: { "/a": { get: { parameters: [text] } } } },
  );
  expect(fqlTablesOf(source)).toEqual({
    others: { resource: "others", fields: { id: { type: "number" } } },
    things: { resource: "things", fields: filter.fields },
  });
});

test("two tables of one resource must agree", () => {
  const source = document({ A: text, B: { "x-fql-tables": { things: {} } } });
  expect(() => fqlTablesOf(source)).toThrow("two x-fql tables of things differ");
});
