import { describe, expect, test } from "vitest";
import type { Schema } from "../contract.ts";
import { Validators } from "./validators.ts";

const schemas: Readonly<Record<string, Schema>> = {
  Base: { type: "object", properties: { id: { type: "string" } } },
  Described: { description: "A base.", $ref: "#/components/schemas/Base" },
  Extended: {
    allOf: [{ $ref: "#/components/schemas/Base" }, { properties: { more: { type: "integer" } } }],
  },
  Beside: { $ref: "#/components/schemas/Base", properties: { more: {} } },
  Choice: {
    oneOf: [
      { $ref: "#/components/schemas/Base", required: ["id"] },
      { type: "object", required: ["kind"], properties: { kind: { const: "b" } } },
      { type: "string" },
    ],
  },
  Map: { type: "object", additionalProperties: { $ref: "#/components/schemas/Base" } },
  Free: {
    type: "object",
    properties: {
      any: { type: "object" },
      list: { type: "array", items: { type: ["object", "string"] } },
    },
  },
  OpenMap: { type: "object", properties: { id: {} }, additionalProperties: true },
  Tree: {
    type: "object",
    properties: { children: { type: "array", items: { $ref: "#/components/schemas/Tree" } } },
  },
};

const validators = new Validators({
  schemas,
  operations: [],
  tables: {},
  envelopes: {},
  plain: {},
});

const undocumented = (name: string, value: unknown): readonly string[] =>
  validators
    .violations({ $ref: `#/components/schemas/${name}` }, value)
    .filter((violation) => violation.undocumented)
    .map(({ place }) => place);

describe("objects accept only listed members", () => {
  test.each<[string, unknown, readonly string[]]>([
    ["Base", { id: "a" }, []],
    ["Base", { id: "a", x: 1 }, [".x"]],
    ["Described", { x: 1 }, [".x"]],
    ["Extended", { id: "a", more: 1 }, []],
    ["Extended", { id: "a", more: 1, x: 1 }, [".x"]],
    ["Beside", { id: "a", more: 1 }, []],
    ["Beside", { x: 1 }, [".x"]],
    ["Choice", { id: "a" }, []],
    ["Choice", { kind: "b" }, []],
    ["Choice", { kind: "b", x: 1 }, [".x"]],
    ["Choice", "text", []],
    ["Map", { a: { id: "a" } }, []],
    ["Map", { a: { x: 1 } }, [".a.x"]],
    ["Free", { any: { x: 1 }, list: [{ x: 1 }] }, []],
    ["Free", { x: 1 }, [".x"]],
    ["OpenMap", { x: 1 }, []],
    ["Tree", { children: [{ children: [{ x: 1 }] }] }, [".children[0].children[0].x"]],
  ])("%s %j", (name, value, places) => {
    expect(undocumented(name, value)).toEqual(places);
  });
});

test("a reference to anything except a component schema is rejected", () => {
  const broken = { A: { $ref: "other.yaml" } };
  expect(
    () => new Validators({ schemas: broken, operations: [], tables: {}, envelopes: {}, plain: {} }),
  ).toThrow("unexpected reference other.yaml");
});
