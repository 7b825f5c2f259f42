import { expect, test } from "vitest";
import { check } from "../testing/check.ts";
import { aliasesLeadSomewhere } from "./aliases-lead-somewhere.ts";

test("aliases of members at any depth are valid; others are found", () => {
  const reports = check(aliasesLeadSomewhere, {
    "ioc/schemas/Thing.yaml": `properties:
  from: {}
  metadata: { $ref: Metadata.yaml }
x-aliases:
  From: from
  filename: metadata.filename
  size: metadata.size
  from: metadata
`,
    "ioc/schemas/Metadata.yaml": "properties:\n  filename: {}\n",
  });
  expect(reports.map(({ line, found: what }) => [line, what])).toEqual([
    [7, "alias to metadata.size"],
    [8, "alias from of a member's name"],
  ]);
});
