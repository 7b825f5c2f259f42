import { expect, test } from "vitest";
import { check, onePath } from "../testing.ts";
import { noOrphanFile } from "./no-orphan-file.ts";

test("a file that is reached through others is no orphan, one that only itself names is", () => {
  const found = check(noOrphanFile, {
    "openapi.yaml": onePath,
    "lint-exceptions.yaml": "[]",
    "errata/ioc.yaml": "[]",
    "ioc/paths/things_v1.yaml": "get:\n  x: {$ref: ../schemas/Thing.yaml}\n",
    "ioc/schemas/Thing.yaml": "items: {$ref: Part.yaml}\n",
    "ioc/schemas/Part.yaml": "type: string\n",
    "ioc/schemas/Lonely.yaml": "items: {$ref: Lonely.yaml}\n",
  });
  expect(found).toEqual([
    {
      file: "ioc/schemas/Lonely.yaml",
      line: 1,
      found: "a file that nothing refers to",
      expected: "a reference that leads here from openapi.yaml, or no such file",
    },
  ]);
});
