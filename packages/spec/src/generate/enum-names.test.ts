import { expect, test } from "vitest";
import { document } from "../index.ts";
import type { JsonSchema, OpenApiDocument } from "../document.ts";
import { withEnumNames } from "./enum-names.ts";

const named = (schemas: Readonly<Record<string, JsonSchema>>) =>
  withEnumNames({ components: { schemas } } as unknown as OpenApiDocument).components.schemas;

test("enumerations with a common value have names with that of the schema", () => {
  const status = { type: "string", enum: ["new", "in_progress"] };
  const state = { type: "string", enum: ["In progress", "9"] };
  const other = { type: "string", enum: ["old"] };
  expect(named({ CaseStatus: status, JobState: state, Other: other, Text: {} })).toEqual({
    CaseStatus: {
      ...status,
      "x-enum-varnames": ["CASE_STATUS_NEW", "CASE_STATUS_IN_PROGRESS"],
    },
    JobState: { ...state, "x-enum-varnames": ["JOB_STATE_IN_PROGRESS", "JOB_STATE_9"] },
    Other: other,
    Text: {},
  });
});

test("two values of one schema with the same name are an error", () => {
  const twice = { enum: ["a-b", "a_b"] };
  expect(() => named({ Twice: twice, Other: { enum: ["a b"] } })).toThrow(
    "two values of Twice have the same name",
  );
});

test("no two constants of the document have the same name", () => {
  const names = Object.values(document().components.schemas).flatMap((schema) => {
    const { enum: values = [], "x-enum-varnames": given = values } = schema as {
      readonly enum?: readonly unknown[];
      readonly "x-enum-varnames"?: readonly unknown[];
    };
    return given.map((each) => String(each).toUpperCase());
  });
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
