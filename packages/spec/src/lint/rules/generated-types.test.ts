import { expect, test } from "vitest";
import { check } from "../testing/check.ts";
import { generatedTypes } from "./generated-types.ts";

test("a map of objects without a name is reported, one with a reference is not", () => {
  const reports = check(generatedTypes, {
    "ioc/schemas/Set.yaml":
      "type: object\nadditionalProperties: {type: object, maxProperties: 0}\n",
    "ioc/schemas/Named.yaml": "type: object\nadditionalProperties: {$ref: Set.yaml}\n",
  });
  expect(reports).toEqual([
    {
      file: "ioc/schemas/Set.yaml",
      line: 1,
      found: "a map of objects without a name",
      expected: "a $ref to a schema of their own",
    },
  ]);
});

test("a union that contains itself through an object without a name is reported", () => {
  const map = (reference: string) => `{type: object, additionalProperties: {$ref: ${reference}}}`;
  const reports = check(generatedTypes, {
    "ioc/schemas/Value.yaml": "anyOf:\n  - {$ref: Item.yaml}\n",
    "ioc/schemas/Item.yaml": `anyOf:\n  - {type: string}\n  - ${map("Value.yaml")}\n`,
    "ioc/schemas/Other.yaml": `oneOf:\n  - ${map("Value.yaml")}\n`,
  });
  expect(reports).toMatchObject([{ file: "ioc/schemas/Item.yaml", line: 3 }]);
});

test("a recursion through a named schema is valid", () => {
  const reports = check(generatedTypes, {
    "ioc/schemas/Value.yaml": "anyOf:\n  - {type: string}\n  - {$ref: Object.yaml}\n",
    "ioc/schemas/Object.yaml": "type: object\nadditionalProperties: {$ref: Value.yaml}\n",
  });
  expect(reports).toEqual([]);
});
