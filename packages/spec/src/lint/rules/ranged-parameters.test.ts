import { expect, test } from "vitest";
import { check, onePath } from "../testing/check.ts";
import { rangedParameters } from "./ranged-parameters.ts";

test("a number needs both bounds, and a shared parameter is reported once", () => {
  const reports = check(rangedParameters, {
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
  expect(reports).toEqual([
    {
      file: "ioc/parameters/Limit.yaml",
      line: 2,
      found: "a number without a maximum",
      expected: "maximum",
    },
  ]);
});
