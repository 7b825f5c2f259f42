import { expect, test } from "vitest";
import { check } from "../testing/check.ts";
import { noInlineObject } from "./no-inline-object.ts";

test("objects inside responses and other schemas are found, maps are not", () => {
  const reports = check(noInlineObject, {
    "ioc/paths/things_v1.yaml": `get:
  responses:
    "200":
      content:
        application/json:
          schema:
            type: array
            items:
              properties: { id: { type: string } }
`,
    "ioc/schemas/Thing.yaml": `type: object
properties:
  names:
    type: object
    additionalProperties: { type: string }
  part:
    properties: {}
`,
  });
  expect(reports.map(({ file, line }) => [file, line])).toEqual([
    ["ioc/paths/things_v1.yaml", 8],
    ["ioc/schemas/Thing.yaml", 6],
  ]);
});
