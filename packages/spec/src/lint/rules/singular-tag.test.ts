import { expect, test } from "vitest";
import { check, onePath } from "../testing/check.ts";
import { singularTag } from "./singular-tag.ts";

test("a missing tag, two tags and an undeclared tag are found", () => {
  const reports = check(singularTag, {
    "openapi.yaml": `${onePath}tags:\n  - name: IOC\n`,
    "ioc/paths/things_v1.yaml":
      "get:\n  tags: [IOC]\npost:\n  tags: [IOC, Things]\nput:\n  summary: none\n",
  });
  expect(reports.map(({ line, found: what }) => [line, what])).toEqual([
    [4, "2 tags"],
    [4, "tag Things"],
    [5, "0 tags"],
  ]);
});
