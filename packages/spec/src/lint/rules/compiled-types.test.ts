import { expect, test } from "vitest";
import { check } from "../testing/check.ts";
import { compiledTypes } from "./compiled-types.ts";

const found = (schema: string): readonly string[] =>
  check(compiledTypes, {
    "ioc/schemas/Thing.yaml": `${schema}\n`,
    "ioc/schemas/Map.yaml": "type: object\nadditionalProperties: {$ref: Text.yaml}\n",
    "ioc/schemas/Named.yaml":
      "type: object\nproperties: {a: {type: string}}\nadditionalProperties: {$ref: Text.yaml}\n",
    "ioc/schemas/Text.yaml": "type: string\n",
  }).map((each) => each.found);

test.each([
  ["type: [string, number]", "a list of the types string, number"],
  ['type: [string, integer, "null"]', "a list of the types string, integer"],
  ["type: array\nitems: {type: [object, string]}", "a list of the types object, string"],
  ["type: boolean\nconst: false", "a boolean with fixed values"],
  ['type: [boolean, "null"]\nenum: [true]', "a boolean with fixed values"],
  ["type: string\nformat: binary\nmaxLength: 9", "maxLength of a file"],
  ["type: string\nformat: binary\nminLength: 1", "minLength of a file"],
  ["type: number\nexclusiveMinimum: 0", "exclusiveMinimum"],
  ["type: integer\nexclusiveMaximum: 9", "exclusiveMaximum"],
  ['type: [object, "null"]\nadditionalProperties: true', "additionalProperties: true"],
  ["oneOf:\n  - {$ref: Text.yaml}\n  - {$ref: Map.yaml}", "a union with the map Map.yaml"],
  [
    "type: object\nadditionalProperties: {anyOf: [{$ref: Map.yaml}]}",
    "a union with the map Map.yaml",
  ],
])("'%s' is reported", (schema, expected) => expect(found(schema)).toEqual([expected]));

test.each([
  'type: [string, "null"]',
  "oneOf: [{type: string}, {type: number}]",
  "type: boolean\ndefault: false",
  "type: string\nconst: a",
  "type: string\nformat: binary",
  "type: string\nmaxLength: 9",
  "type: number\nminimum: 0",
  "type: object\nadditionalProperties: false",
  "oneOf: [{$ref: Named.yaml}, {$ref: Text.yaml}]",
  "type: object\nproperties: {all: {$ref: Map.yaml}}",
])("'%s' is accepted", (schema) => expect(found(schema)).toEqual([]));
