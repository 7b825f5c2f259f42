import { expect, test } from "vitest";
import { check, onePath } from "../testing/check.ts";
import { described } from "./described.ts";

test("operations, parameters, components, members and examples need descriptions", () => {
  const reports = check(described, {
    "openapi.yaml": onePath,
    "ioc/paths/things_v1.yaml": `get:
  summary: Gets things.
  description: Gets them.
  parameters:
    - name: ids
    - name: all
      description: All of them.
`,
    "ioc/schemas/Thing.yaml": `description: A thing.
properties:
  name: { description: Its name. }
  size: { type: integer }
  part: { $ref: Part.yaml }
`,
    "ioc/schemas/Part.yaml": "type: string\n",
    "ioc/examples/thing.yaml": "value: {}\n",
  });
  expect(reports.map(({ file, line, found: what }) => [file, line, what])).toEqual([
    ["ioc/paths/things_v1.yaml", 2, 'summary "Gets things."'],
    ["ioc/paths/things_v1.yaml", 3, 'description "Gets them."'],
    ["ioc/paths/things_v1.yaml", 5, "a parameter without description"],
    ["ioc/schemas/Part.yaml", 1, "no description"],
    ["ioc/schemas/Thing.yaml", 4, "size without description"],
    ["ioc/examples/thing.yaml", 1, "no summary"],
  ]);
});
