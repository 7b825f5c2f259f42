import { expect, test } from "vitest";
import { check } from "../testing/check.ts";
import { boundedIntegers } from "./bounded-integers.ts";

const countReports = (schema: string) =>
  check(boundedIntegers, { "ioc/schemas/Count.yaml": `${schema}\n` }).length;

test.each([
  "type: integer\nminimum: 0\nmaximum: 9",
  "type: integer\nenum: [1, 2]",
  "type: [integer, string]\nconst: 1",
  "type: number",
])("'%s' is bounded, or not an integer", (schema) => expect(countReports(schema)).toBe(0));

test.each(["type: integer", "type: integer\nminimum: 0", 'type: [integer, "null"]\nmaximum: 9'])(
  "'%s' is not bounded",
  (schema) => expect(countReports(schema)).toBe(1),
);

test("the place is reported", () => {
  const inner = "type: object\nproperties:\n  size:\n    type: integer\n";
  expect(check(boundedIntegers, { "ioc/schemas/Thing.yaml": inner })).toMatchObject([
    { file: "ioc/schemas/Thing.yaml", line: 3, found: "an unbounded integer" },
  ]);
});
