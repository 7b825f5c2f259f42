import { expect, test } from "vitest";
import { check, onePath } from "../testing.ts";
import { typedArrays } from "./typed-arrays.ts";

test("lists anywhere need typed items and an end", () => {
  const found = check(typedArrays, {
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
  expect(found.map(({ file, line, found: what }) => [file, line, what])).toEqual([
    ["ioc/paths/things_v1.yaml", 4, "a list without end"],
    ["ioc/schemas/Thing.yaml", 7, "a list without a type of its items"],
  ]);
});
