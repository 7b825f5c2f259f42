import { expect, test } from "vitest";
import { check, onePath } from "../testing/check.ts";
import { noOrphanFile } from "./no-orphan-file.ts";

test("a file that is reached through others is not an orphan; one that only refers to itself is", () => {
  const reports = check(noOrphanFile, {
    "openapi.yaml": onePath,
    "lint-exceptions.yaml": "[]",
    "errata/ioc.yaml": "[]",
    "ioc/paths/things_v1.yaml": "get:\n  x: {$ref: ../schemas/Thing.yaml}\n",
    "ioc/schemas/Thing.yaml": "items: {$ref: Part.yaml}\n",
    "ioc/schemas/Part.yaml": "type: string\n",
    "ioc/schemas/Lonely.yaml": "items: {$ref: Lonely.yaml}\n",
  });
  expect(reports).toEqual([
    {
      file: "ioc/schemas/Lonely.yaml",
      line: 1,
      found: "an unreferenced file",
      expected: "a reference from a document, direct or indirect, or no such file",
    },
  ]);
});
