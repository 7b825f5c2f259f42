import type { JsonObject } from "../../src/json.ts";
import {
  documentWith,
  jsonBody,
  operationWith,
  requestOf,
  responseOf,
} from "../../src/testing/documents.ts";
import { done, familyOf, integer, object, pairs, text } from "./pair.ts";

/** Pairs that were written after the others, with their verdicts, to see how good the gate is. */
const { p, both } = familyOf("further pairs");

// Defaults.
p(
  "header param required->optional, default in $ref",
  operationWith(
    {
      parameters: [
        { name: "X-A", in: "header", required: true, schema: { $ref: "#/components/schemas/A" } },
      ],
    },
    { components: { schemas: { A: text } } },
  ),
  operationWith(
    { parameters: [{ name: "X-A", in: "header", schema: { $ref: "#/components/schemas/A" } }] },
    { components: { schemas: { A: { ...text, default: "x" } } } },
  ),
  "minor",
  "major",
);
p(
  "response member default changed",
  responseOf(object({ a: { ...text, default: "x" } }, { required: ["a"] })),
  responseOf(object({ a: { ...text, default: "y" } }, { required: ["a"] })),
  "patch",
  "patch",
);
p(
  "member required with default -> optional other default (req)",
  requestOf(object({ a: { ...text, default: "x" } }, { required: ["a"] })),
  requestOf(object({ a: { ...text, default: "y" } })),
  "minor",
  "major",
);
p(
  "nested member of optional object, required inside, default new",
  requestOf(object({ o: object({ a: text }, { required: ["a"] }) })),
  requestOf(object({ o: object({ a: { ...text, default: "x" } }, { required: ["a"] }) })),
  "minor",
  "patch",
);
p(
  "webhook body member required->optional w/ default",
  documentWith({
    webhooks: {
      w: {
        post: {
          requestBody: jsonBody(object({ a: text }, { required: ["a"] })),
          responses: { 200: done },
        },
      },
    },
  }),
  documentWith({
    webhooks: {
      w: {
        post: {
          requestBody: jsonBody(object({ a: { ...text, default: "x" } })),
          responses: { 200: done },
        },
      },
    },
  }),
  "major",
  "patch",
);
// Alternatives.
const formatted = (f: string) => ({ ...text, format: f });
both(
  "uuid/int",
  { anyOf: [formatted("uuid"), integer] },
  { oneOf: [formatted("uuid"), integer] },
  ["none", "none"],
  ["none", "none"],
);
both(
  "date-time/uuid/email+null",
  { anyOf: [formatted("date-time"), formatted("email"), { type: "null" }] },
  { oneOf: [formatted("date-time"), formatted("email"), { type: "null" }] },
  ["none", "none"],
  ["none", "none"],
);
both(
  "hostname/ipv4 overlap (an IPv4 text is a hostname)",
  { oneOf: [formatted("hostname"), formatted("ipv4")] },
  { anyOf: [formatted("hostname"), formatted("ipv4")] },
  ["minor", "major"],
  ["major", "patch"],
);
both(
  "array of uuid / array of date: both allow []",
  {
    oneOf: [
      { type: "array", items: formatted("uuid") },
      { type: "array", items: formatted("date") },
    ],
  },
  {
    anyOf: [
      { type: "array", items: formatted("uuid") },
      { type: "array", items: formatted("date") },
    ],
  },
  ["minor", "major"],
  ["major", "patch"],
);
both(
  "array min1 uuid / date",
  {
    oneOf: [
      { type: "array", minItems: 1, items: formatted("uuid") },
      { type: "array", minItems: 1, items: formatted("date") },
    ],
  },
  {
    anyOf: [
      { type: "array", minItems: 1, items: formatted("uuid") },
      { type: "array", minItems: 1, items: formatted("date") },
    ],
  },
  ["none", "none"],
  ["none", "none"],
);
both(
  "refs of closed objects by required",
  {
    anyOf: [
      object({ a: text }, { required: ["a"], additionalProperties: false }),
      object({ b: text }, { required: ["b"], additionalProperties: false }),
    ],
  },
  {
    oneOf: [
      object({ a: text }, { required: ["a"], additionalProperties: false }),
      object({ b: text }, { required: ["b"], additionalProperties: false }),
    ],
  },
  ["none", "none"],
  ["none", "none"],
);
// Split objects.
both(
  "split by integer",
  object({ v: { enum: [1, 2] }, x: text }, { required: ["v"] }),
  {
    oneOf: [
      object({ v: { const: 1 }, x: text }, { required: ["v"] }),
      object({ v: { const: 2 }, x: text }, { required: ["v"] }),
    ],
  },
  ["none", "none"],
  ["none", "none"],
);
both(
  "split, branch requires x",
  object({ k: { enum: ["a", "b"] }, x: text }, { required: ["k"] }),
  {
    oneOf: [
      object({ k: { const: "a" }, x: text }, { required: ["k", "x"] }),
      object({ k: { const: "b" }, x: text }, { required: ["k"] }),
    ],
  },
  ["major", "minor"],
  ["patch", "major"],
);
both(
  "split, new member in one",
  object({ k: { enum: ["a", "b"] } }, { required: ["k"] }),
  {
    oneOf: [
      object({ k: { const: "a" }, x: text }, { required: ["k"] }),
      object({ k: { const: "b" } }, { required: ["k"] }),
    ],
  },
  ["minor", "major"],
  ["minor", "major"],
);
both(
  "split via allOf ref base",
  object({ k: { enum: ["a", "b"] }, x: text }, { required: ["k", "x"] }),
  {
    oneOf: [
      {
        allOf: [
          object({ x: text }, { required: ["x"] }),
          object({ k: { const: "a" } }, { required: ["k"] }),
        ],
      },
      {
        allOf: [
          object({ x: text }, { required: ["x"] }),
          object({ k: { const: "b" } }, { required: ["k"] }),
        ],
      },
    ],
  },
  ["none", "none"],
  ["none", "none"],
);
both(
  "nested member split",
  object({ o: object({ k: { enum: ["a", "b"] }, x: integer }, { required: ["k"] }) }),
  object({
    o: {
      anyOf: [
        object({ k: { enum: ["a"] }, x: integer }, { required: ["k"] }),
        object({ k: { enum: ["b"] }, x: integer }, { required: ["k"] }),
      ],
    },
  }),
  ["none", "none"],
  ["none", "none"],
);
both(
  "three to two branches",
  { oneOf: ["a", "b", "c"].map((k) => object({ k: { const: k } }, { required: ["k"] })) },
  object({ k: { enum: ["a", "b"] } }, { required: ["k"] }),
  ["major", "minor"],
  ["patch", "major"],
);
// Integers.
both(
  "int32 with minimum below",
  { ...integer, format: "int32", minimum: -3e9 },
  { ...integer, format: "int32" },
  ["none", "none"],
  ["none", "none"],
);
both(
  "int64 max vs 2^63",
  { ...integer, maximum: 9223372036854775807n },
  { ...integer, maximum: 9223372036854775808n },
  ["none", "none"],
  ["none", "none"],
);
both(
  "enum big differ",
  { enum: [9007199254740993n] },
  { enum: [9007199254740995n] },
  ["major", "major"],
  ["major", "major"],
);
both(
  "multipleOf bigger",
  { ...integer, minimum: -9007199254740993n },
  { ...integer, minimum: -9007199254740992n },
  ["major", "minor"],
  ["patch", "major"],
);
both(
  "uint32 vs bounds",
  { ...integer, format: "uint32" },
  { ...integer, minimum: 0, maximum: 4294967295 },
  ["none", "none"],
  ["none", "none"],
);
both(
  "int16 -> int32",
  { ...integer, format: "int16" },
  { ...integer, format: "int32" },
  ["minor", "major"],
  ["major", "patch"],
);
// Dynamic references.
const page = (more: JsonObject = {}) => ({
  $id: "https://a.example/page",
  type: "object",
  properties: { data: { type: "array", items: { $dynamicRef: "#T" } }, next: text },
  $defs: { T: { $dynamicAnchor: "T", ...more } },
});
const relative = (id: string, item: JsonObject) => ({
  $id: `https://a.example/${id}`,
  $ref: "page",
  $defs: { T: { $dynamicAnchor: "T", ...item } },
});
const bound = (id: string, item: JsonObject) => ({
  $id: `https://a.example/${id}`,
  $ref: "https://a.example/page",
  $defs: { T: { $dynamicAnchor: "T", ...item } },
});
p(
  "page of users: member removed (absolute id)",
  responseOf(
    { $ref: "https://a.example/users" },
    { components: { schemas: { P: page(), U: bound("users", object({ id: text, name: text })) } } },
  ),
  responseOf(
    { $ref: "https://a.example/users" },
    { components: { schemas: { P: page(), U: bound("users", object({ id: text })) } } },
  ),
  "major",
  "minor",
);
p(
  "page of users: $ref relative to $id",
  responseOf(
    { $ref: "#/components/schemas/U" },
    {
      components: {
        schemas: { P: page(), U: relative("users", object({ id: text, name: text })) },
      },
    },
  ),
  responseOf(
    { $ref: "#/components/schemas/U" },
    { components: { schemas: { P: page(), U: relative("users", object({ id: text })) } } },
  ),
  "major",
  "minor",
);
p(
  "$anchor instead of $dynamicAnchor binds nothing",
  requestOf(
    { $ref: "l2" },
    {
      components: {
        schemas: {
          L: {
            $id: "l",
            type: "object",
            properties: { x: { $dynamicRef: "#T" } },
            $defs: { T: { $dynamicAnchor: "T" } },
          },
          L2: { $id: "l2", $ref: "l", $defs: { T: { $anchor: "T", ...text } } },
        },
      },
    },
  ),
  requestOf(
    { $ref: "l2" },
    {
      components: {
        schemas: {
          L: {
            $id: "l",
            type: "object",
            properties: { x: { $dynamicRef: "#T" } },
            $defs: { T: { $dynamicAnchor: "T" } },
          },
          L2: { $id: "l2", $ref: "l", $defs: { T: { $anchor: "T", ...integer } } },
        },
      },
    },
  ),
  "none",
  "none",
);

export const furtherPairs = pairs;
