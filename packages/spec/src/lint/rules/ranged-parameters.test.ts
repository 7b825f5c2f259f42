import { expect, test } from "vitest";
import { check, onePath } from "../testing.ts";
import { rangedParameters } from "./ranged-parameters.ts";

test("a number needs both ends, and a shared parameter is told once", () => {
  const found = check(rangedParameters, {
    "openapi.yaml": onePath,
    "ioc/paths/things_v1.yaml": `get:
  parameters:
    - $ref: ../parameters/Limit.yaml
    - name: page
      schema: { type: integer, minimum: 1, maximum: 9 }
post:
  parameters:
    - $ref: ../parameters/Limit.yaml
`,
    "ioc/parameters/Limit.yaml": "name: limit\nschema: { type: integer, minimum: 1 }\n",
  });
  expect(found).toEqual([
    {
      file: "ioc/parameters/Limit.yaml",
      line: 2,
      found: "a number without a largest value",
      expected: "maximum",
    },
  ]);
});
