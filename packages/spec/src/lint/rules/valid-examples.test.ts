import { expect, test } from "vitest";
import { check } from "../testing/check.ts";
import { validExamples } from "./valid-examples.ts";

const reportsOf = (texts: Readonly<Record<string, string>>) =>
  check(validExamples, texts).map(({ file, line, expected }) => [file, line, expected]);

const body = (example: string) => `post:
  requestBody:
    content:
      application/json:
        schema:
          type: array
          items: { $ref: ../schemas/Thing.yaml }
        examples:
${example}`;

const thing = `type: object
required: [id]
properties:
  id: { type: string, format: uuid }
  parent: { $ref: Thing.yaml }
`;

test("examples are checked through references, and reported at the line of the invalid value", () => {
  expect(
    reportsOf({
      "ioc/paths/a_v1.yaml": body("          two-things: { $ref: ../examples/two-things.yaml }\n"),
      "ioc/schemas/Thing.yaml": thing,
      "ioc/examples/two-things.yaml": `summary: s
value:
  - id: 7b1c9a52-4e1d-4f0a-9a53-2f6f0c8f5f10
  - id: 7b1c9a52-4e1d-4f0a-9a53-2f6f0c8f5f10
    parent:
      id: other
`,
    }),
  ).toEqual([["ioc/examples/two-things.yaml", 6, 'must match format "uuid"']]);
});

test("a body requires an example, in a file with its name", () => {
  expect(
    reportsOf({ "ioc/paths/a_v1.yaml": body("          {}\n"), "ioc/schemas/Thing.yaml": thing }),
  ).toEqual([["ioc/paths/a_v1.yaml", 4, "an example"]]);
  expect(
    reportsOf({
      "ioc/paths/a_v1.yaml": body("          none: { value: [] }\n"),
      "ioc/schemas/Thing.yaml": thing,
    }),
  ).toEqual([["ioc/paths/a_v1.yaml", 9, "examples/none.yaml"]]);
});

test("parameters and headers require a valid example, schemas may have some", () => {
  expect(
    reportsOf({
      "ioc/parameters/Limit.yaml":
        "name: limit\nschema: { type: integer, maximum: 9 }\nexample: 10\n",
      "shared/headers/Age.yaml": "schema: { type: integer }\n",
      "ioc/schemas/Text.yaml": "type: string\nexamples:\n  - a\n  - 1\n",
    }),
  ).toEqual([
    ["ioc/parameters/Limit.yaml", 3, "must be <= 9"],
    ["shared/headers/Age.yaml", 1, "an example"],
    ["ioc/schemas/Text.yaml", 4, "must be string"],
  ]);
});
