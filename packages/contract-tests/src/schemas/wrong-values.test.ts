import { describe, expect, test } from "vitest";
import { platformContract, type Schema } from "../contract.ts";
import { resolveSchema } from "./resolve-schema.ts";
import { variants } from "./variants.ts";
import { wrongValues } from "./wrong-values.ts";

const valuesOf = (schema: Schema): readonly unknown[] =>
  wrongValues(schema).map(({ value }) => value);

describe("wrong values violate one rule each", () => {
  test.each<[Schema, readonly unknown[]]>([
    [{ type: "boolean" }, ["seven", null]],
    [{ type: "string" }, [7, null]],
    [{ type: ["string", "null"] }, [7]],
    [{ type: ["integer", "string"], minimum: 0 }, [true, null, 1.5, -1]],
    [{ type: "number", maximum: 100 }, ["seven", null, 101]],
    [{ type: "string", enum: ["a", ""] }, [7, null, "no_such_value"]],
    [{ type: "string", minLength: 1, maxLength: 3 }, [7, null, "", "aaaa"]],
    [{ type: "string", format: "uuid" }, [7, null, "not-well-formed"]],
    [{ type: "string", pattern: "^[a-f]{2}$" }, [7, null, "not well-formed!", ""]],
    [
      { type: "string", pattern: "^([1-9][0-9]?|100)$" },
      [7, null, "-1", "0", "1000000", "not well-formed!", ""],
    ],
    [{ description: "anything" }, []],
  ])("%j", (schema, expected) => {
    expect(valuesOf(schema)).toEqual(expected);
  });

  test("and distinguish limits from shapes", () => {
    const limits = wrongValues({ type: "integer", minimum: 1, maximum: 5 }).filter(
      ({ limit }) => limit,
    );
    expect(limits.map(({ kind }) => kind)).toEqual(["below minimum 1", "above maximum 5"]);
  });
});

describe("variants are different and well-formed", () => {
  test.each<[unknown, Schema]>([
    [["4e17d211"], { pattern: "^[0-9a-f]{8}$" }],
    [undefined, { pattern: "^[0-9a-f]{32}$" }],
    [undefined, { pattern: "^[0-9a-f]{64}$" }],
    ["detect", { pattern: "^[a-z_]{1,64}$" }],
    ["pid:0123456789abcdef0123456789abcdef:1234", { pattern: "^pid:[0-9a-f]{32}:[0-9]{1,20}$" }],
  ])("%j %j", (example, items) => {
    const values = variants(example, items, 150);
    const pattern = new RegExp(String(items["pattern"]), "u");
    expect(values.filter((text) => !pattern.test(text))).toEqual([]);
    expect(new Set(values).size).toBe(values.length);
  });

  test("an unknown pattern has no variants", () => {
    expect(variants("a", { pattern: "^only this$" }, 2)).toEqual([]);
  });
});

test("references and allOf are resolved into one schema", () => {
  const contract = {
    ...platformContract(),
    schemas: {
      A: { type: "object", required: ["a"], properties: { a: {} } },
      B: {
        allOf: [{ $ref: "#/components/schemas/A" }, { required: ["b"], properties: { b: {} } }],
      },
    },
  };
  const schema = { description: "own", $ref: "#/components/schemas/B" };
  expect(resolveSchema(contract, schema)).toEqual({
    description: "own",
    type: "object",
    required: ["a", "b"],
    properties: { a: {}, b: {} },
  });
});
