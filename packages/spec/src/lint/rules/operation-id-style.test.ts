import { expect, test } from "vitest";
import { check } from "../testing/check.ts";
import { operationIdStyle } from "./operation-id-style.ts";

const paths = (...files: readonly string[]) =>
  `paths:\n${files.map((file, index) => `  /${index}:\n    $ref: ${file}\n`).join("")}`;

test("each collection has its own style", () => {
  const reports = check(operationIdStyle, {
    "openapi.yaml": paths("ioc/paths/a.yaml", "oauth2/paths/b.yaml", "container/paths/c.yaml"),
    "ioc/paths/a.yaml": "get:\n  operationId: indicator.get.devices_ran_on.v1\n",
    "oauth2/paths/b.yaml": "post:\n  operationId: oauth2AccessToken\n",
    "container/paths/c.yaml": "get:\n  operationId: readRegistryEntities\n",
  });
  expect(reports).toEqual([expect.objectContaining({ found: "readRegistryEntities", line: 2 })]);
});

test("an unknown collection and a duplicate id are found", () => {
  const reports = check(operationIdStyle, {
    "openapi.yaml": paths("ioc/paths/a.yaml", "ioc/paths/b.yaml", "weather/paths/c.yaml"),
    "ioc/paths/a.yaml": "get:\n  operationId: a.b.v1\n",
    "ioc/paths/b.yaml": "get:\n  operationId: a.b.v1\n",
    "weather/paths/c.yaml": "get:\n  operationId: forecast\n",
  });
  expect(reports.map(({ file, found: what }) => [file, what])).toEqual([
    ["ioc/paths/b.yaml", "a.b.v1, the id of /0"],
    ["weather/paths/c.yaml", "collection weather"],
  ]);
});
