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
    ids: { type: "array", uniqueItems: true, "x-normal-form": "set", items: text },
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
  // The server drops what a set has twice.
  { type: "ipv4", ids: ["a", "a"] },
])("accepts %j", (value) => {
  expect(problemOf(schema, value, "body")).toBeUndefined();
});

test.each([
  [{}, "body.type: is required"],
  [[], "body: expected an object, got []"],
  [
    { type: "domian" },
    'body.type: expected one of domain, ipv4, got "domian"; did you mean domain?',
  ],
  [{ type: "ipv4", tag: [] }, "body.tag: unknown field; did you mean tags?"],
  [{ type: "ipv4", severity: 101 }, "body.severity: expected an integer from 0 to 100, got 101"],
  [{ type: "ipv4", severity: 1.5 }, "body.severity: expected an integer, got 1.5"],
  [
    { type: "ipv4", name: "long" },
    'body.name: expected a text of at most 3 characters, got "long"',
  ],
  [{ type: "ipv4", tags: ["a", ""] }, 'body.tags[1]: expected a text of 1 to 3 characters, got ""'],
  [
    { type: "ipv4", tags: ["a", "b", "c"] },
    'body.tags: expected at most 2 items, got ["a","b","c"]',
  ],
  [{ type: "ipv4", spec: {} }, "body.spec.a: is required"],
  [
    { type: "ipv4", password: "hunter2" },
    "body.password: expected a text of at least 9 characters",
  ],
  [
    { type: "ipv4", spec: ["long"] },
    'body.spec[0]: expected a text of 1 to 3 characters, got "long"',
  ],
  [{ type: "ipv4", created: "x" }, 'body.created: expected a text like ^[0-9]+$, got "x"'],
])("rejects %j", (value, problem) => {
  expect(problemOf(schema, value, "body")).toBe(problem);
});

test("lists ten problems, and counts the others", () => {
  const value = Array.from({ length: 12 }, () => 7);
  const lines = problemOf({ type: "array", items: text }, value, "body")?.split("\n");
  expect(lines).toHaveLength(11);
  expect(lines?.[9]).toBe("body[9]: expected a text, got 7");
  expect(lines?.[10]).toBe("and 2 more problems");
});
