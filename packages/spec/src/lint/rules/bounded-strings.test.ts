import { expect, test } from "vitest";
import { check } from "../testing/check.ts";
import { boundedStrings } from "./bounded-strings.ts";

const countReports = (schema: string) =>
  check(boundedStrings, { "ioc/schemas/Text.yaml": `type: string\n${schema}\n` }).length;

test.each([
  "enum: [a]",
  "const: a",
  "maxLength: 9",
  "format: uuid",
  "format: binary",
  "pattern: ^[0-9a-f]{32}$",
  "pattern: ^a\\+b$",
])("%s bounds a string", (schema) => expect(countReports(schema)).toBe(0));

test.each([
  "",
  "minLength: 1",
  "format: password",
  "pattern: ^a+$",
  "pattern: ^a{3,}$",
  "pattern: abc",
])("'%s' does not", (schema) => expect(countReports(schema)).toBe(1));

test("the place is reported, also inside maps", () => {
  const inner = `type: object\nadditionalProperties:\n  type: [string, "null"]\n`;
  expect(check(boundedStrings, { "ioc/schemas/Map.yaml": inner })).toMatchObject([
    { file: "ioc/schemas/Map.yaml", line: 2, found: "an unbounded string" },
  ]);
});
