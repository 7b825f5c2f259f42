import { expect, test } from "vitest";
import { described } from "./rules/described.ts";
import { noOrphanFile } from "./rules/no-orphan-file.ts";
import { validExamples } from "./rules/valid-examples.ts";
import { sourceFiles } from "./source-file.ts";
import { check, onePath } from "./testing/check.ts";

const things = `schemas:
  Thing:
    description: A thing.
    type: object
    required: [id, name]
    properties:
      id:
        description: Its id.
        type: string
        maxLength: 9
      name: &name
        description: Its name.
        type: string
        maxLength: 9

  ThingList:
    description: Some things.
    type: array
    items:
      $ref: "#/schemas/Thing"

  ThingUpdateRequest:
    type: object
    properties:
      name:
        <<: *name
        description: Its new name.

examples:
  things:
    summary: Two things
    value:
      - &first
        id: one
        name: First
      - <<: *first
        id: 2

  unused-things:
    summary: No things
    value: []
`;

const path = `get:
  responses:
    "200":
      content:
        application/json:
          schema:
            $ref: ../components/things.yaml#/schemas/ThingList
          examples:
            things:
              $ref: ../components/things.yaml#/examples/things
`;

const files = {
  "openapi.yaml": onePath,
  "ioc/paths/things_v1.yaml": path,
  "ioc/components/things.yaml": things,
};

test("each component is a file of its kind, with merged values", () => {
  const components = sourceFiles("ioc/components/things.yaml", things);
  expect(components.map(({ kind, name, collection }) => [kind, name, collection])).toEqual([
    ["schemas", "Thing", "ioc"],
    ["schemas", "ThingList", "ioc"],
    ["schemas", "ThingUpdateRequest", "ioc"],
    ["examples", "things", "ioc"],
    ["examples", "unused-things", "ioc"],
  ]);
  expect(components[0]?.path).toBe("ioc/components/things.yaml#/schemas/Thing");
  expect(components[2]?.value).toMatchObject({
    properties: { name: { description: "Its new name.", type: "string", maxLength: 9 } },
  });
});

test("rules name the file and the line of a component", () => {
  const ofSchemas = check(described, files).filter(({ found }) => found === "no description");
  expect(ofSchemas).toEqual([
    expect.objectContaining({
      file: "ioc/components/things.yaml",
      line: 22,
      found: "no description",
    }),
  ]);
});

test("references lead to components, also within their file", () => {
  expect(check(validExamples, files)).toEqual([
    expect.objectContaining({
      file: "ioc/components/things.yaml",
      line: 37,
      expected: "must be string",
    }),
  ]);
  expect(check(noOrphanFile, files).map(({ line }) => line)).toEqual([22, 39]);
});

test("another section is an error that lists the known ones", () => {
  expect(() => sourceFiles("ioc/components/things.yaml", "schema:\n  Thing: {}\n")).toThrow(
    "ioc/components/things.yaml: section schema, expected one of schemas, parameters, examples",
  );
});
