import { expect, test } from "vitest";
import { problemOf } from "./check-value.ts";

const text = { type: "string", minLength: 1, maxLength: 3 };
const schema = {
  type: "object",
  additionalProperties: false,
  required: ["type"],
  properties: {
    type: { enum: ["domain", "ipv4"] },
    severity: { type: "integer", minimum: 0, maximum: 100 },
    name: { type: ["string", "null"], maxLength: 3 },
    tags: { type: "array", maxItems: 2, items: text },
    spec: {
      oneOf: [
        { type: "object", required: ["a"] },
        { type: "array", items: text },
      ],
    },
    created: { type: "string", pattern: "^[0-9]+$" },
    free: { type: "object" },
    password: { type: "string", format: "password", minLength: 9 },
  },
};

test.each([
  { type: "domain", severity: 100, name: null, tags: ["a", "bcd"], free: { any: [1] } },
  { type: "ipv4", spec: { a: 1 } },
  { type: "ipv4", spec: ["x"], created: "12" },
  // Characters, not code units.
  { type: "ipv4", name: "😀😀😀" },
])("accepts %j", (value) => {
  expect(problemOf(schema, value, "body")).toBeUndefined();
});

test.each([
  [{}, "body.type is missing"],
  [[], "body cannot be []. Expected an object."],
  [
    { type: "domian" },
    "body.type cannot be 'domian'. Expected one of domain, ipv4. Did you mean domain?",
  ],
  [{ type: "ipv4", tag: [] }, "body has no member tag. Did you mean tags?"],
  [
    { type: "ipv4", severity: 101 },
    "body.severity cannot be 101. Expected an integer from 0 to 100.",
  ],
  [
    { type: "ipv4", severity: 1.5 },
    "body.severity cannot be 1.5. Expected an integer from 0 to 100.",
  ],
  [
    { type: "ipv4", name: "long" },
    "body.name cannot be 'long'. Expected a text of 0 to 3 characters.",
  ],
  [
    { type: "ipv4", tags: ["a", ""] },
    "body.tags.1 cannot be ''. Expected a text of 1 to 3 characters.",
  ],
  [{ type: "ipv4", tags: ["a", "b", "c"] }, "body.tags has 3 entries. Expected 0 to 2."],
  [{ type: "ipv4", spec: {} }, "body.spec.a is missing"],
  [
    { type: "ipv4", password: "hunter2" },
    "body.password cannot be this value. Expected a text of at least 9 characters.",
  ],
  [
    { type: "ipv4", spec: ["long"] },
    "body.spec.0 cannot be 'long'. Expected a text of 1 to 3 characters.",
  ],
  [
    { type: "ipv4", created: "x" },
    "body.created cannot be 'x'. Expected a text that matches ^[0-9]+$.",
  ],
])("rejects %j", (value, problem) => {
  expect(problemOf(schema, value, "body")).toBe(problem);
});
