import { describe, expect, test } from "vitest";
import type { OpenApiDocument } from "../../document.ts";
import type { Operation } from "../../operation.ts";
import { failuresOf, type Subject } from "./checks.ts";
import type { Check, Entry } from "../entry.ts";

const subject: Subject = {
  document: {
    components: {
      schemas: {
        Thing: {
          type: "object",
          required: ["name"],
          properties: {
            name: { type: "string", maxLength: 8 },
            colour: { $ref: "#/components/schemas/Colour", default: "red" },
          },
        },
        Colour: { type: "string", enum: ["red", "blue"] },
      },
    },
  } as unknown as OpenApiDocument,
  operations: [
    {
      id: "getThings",
      description: "Gives things.",
      successStatus: 200,
      parameters: [{ name: "limit", schema: { maximum: 5 } }],
      responses: [
        {
          status: 200,
          content: {
            "application/json": { schema: { items: { $ref: "#/components/schemas/Thing" } } },
          },
        },
        { status: 404, content: {} },
      ],
    } as unknown as Operation,
  ],
  tables: { things: { resource: "things", fields: { name: { type: "string" } } } },
  rules: ["described"],
  textOf: (file) => (file === "a.test.ts" ? 'test("things are found", () => {' : undefined),
};

const failures = (check: Check, place = "getThings") =>
  failuresOf({ place } as Entry, check, subject);

describe("a check of the document", () => {
  test.each<[Check, string?]>([
    [{ at: "parameters/limit/schema/maximum", value: 5 }],
    [{ at: "responses", has: [200, 404], lacks: [409] }],
    [{ at: "description", has: ["Gives"] }],
    [{ at: "result/items/name/maxLength", value: 8 }],
    [{ at: "result/items/colour/default", value: "red" }],
    [{ at: "result/items/colour/enum", has: ["blue"], lacks: ["green"] }],
    [{ at: "fields", in: ["fql/things"], keys: ["name"] }],
    [{ at: "required", value: ["name"] }, "schemas/Thing"],
    [{ rule: "described" }],
    [{ file: "a.test.ts", title: "things are found" }],
  ])("%j passes", (check, place) => {
    expect(failures(check, place)).toEqual([]);
  });

  test.each<[Check, string]>([
    [{ at: "parameters/limit/schema/maximum", value: 6 }, "expected 6, found 5"],
    [{ at: "responses", has: [409] }, "expected all of [409]"],
    [{ at: "description", lacks: ["Gives"] }, "expected none of"],
    [{ at: "fields", in: ["fql/things"], keys: ["name", "age"] }, "expected the keys"],
    [{ at: "no/such/thing", lacks: ["x"] }, "found undefined"],
    [{ rule: "undescribed" }, "no lint rule undescribed"],
    [{ file: "a.test.ts", title: "things are lost" }, 'has no test "things are lost"'],
    [{ file: "b.test.ts", title: "things are found" }, "no file b.test.ts"],
  ])("%j fails, and says why", (check, why) => {
    expect(failures(check)).toEqual([expect.stringContaining(why)]);
  });
});
