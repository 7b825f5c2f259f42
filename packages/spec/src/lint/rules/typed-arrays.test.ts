import { expect, test } from "vitest";
import { check, onePath } from "../testing/check.ts";
import { typedArrays } from "./typed-arrays.ts";

test("lists anywhere require typed items and maxItems", () => {
  const reports = check(typedArrays, {
    "openapi.yaml": onePath,
    "ioc/paths/things_v1.yaml": `get:
  parameters:
    - name: ids
      schema:
        type: array
        items: { type: string }
`,
    "ioc/schemas/Thing.yaml": `type: object
properties:
  good:
    type: array
    maxItems: 3
    items: { $ref: Part.yaml }
  untyped:
    type: [array, "null"]
    maxItems: 3
    items: {}
`,
  });
  expect(reports.map(({ file, line, found: what }) => [file, line, what])).toEqual([
    ["ioc/paths/things_v1.yaml", 4, "a list without maxItems"],
    ["ioc/schemas/Thing.yaml", 7, "a list without an item type"],
  ]);
});
