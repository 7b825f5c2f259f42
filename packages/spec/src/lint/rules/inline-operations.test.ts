import { expect, test } from "vitest";
import { check } from "../testing/check.ts";
import { inlineOperations } from "./inline-operations.ts";

test("references to operations and members shared by a path are found", () => {
  const reports = check(inlineOperations, {
    "ioc/paths/a_v1.yaml": "get:\n  operationId: a\npost:\n  $ref: other.yaml\nparameters: []\n",
  });
  expect(reports.map(({ line, found: what }) => [line, what])).toEqual([
    [3, "a reference to an operation"],
    [5, "parameters"],
  ]);
});
