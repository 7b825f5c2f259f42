import { expect, test } from "vitest";
import { check } from "../testing/check.ts";
import { methodNames } from "./method-names.ts";

const paths = (...files: readonly string[]) =>
  `paths:\n${files.map((file, index) => `  /${index}:\n    $ref: ${file}\n`).join("")}`;
const operation = (id: string, name?: string) =>
  `get:\n  operationId: ${id}\n${name === undefined ? "" : `  x-method-name: ${name}\n`}`;

test("a missing name and a name in another style are found", () => {
  const reports = check(methodNames, {
    "openapi.yaml": paths("ioc/paths/a.yaml", "ioc/paths/b.yaml", "ioc/paths/c.yaml"),
    "ioc/paths/a.yaml": operation("a.v1"),
    "ioc/paths/b.yaml": operation("b.v1", "list-things"),
    "ioc/paths/c.yaml": operation("c.v1", "listThingsV2"),
  });
  expect(reports.map(({ file, line, found }) => [file, line, found])).toEqual([
    ["ioc/paths/a.yaml", 1, "x-method-name missing"],
    ["ioc/paths/b.yaml", 3, "x-method-name list-things"],
  ]);
});

test("a name that another operation of the collection has is found", () => {
  const reports = check(methodNames, {
    "openapi.yaml": paths("ioc/paths/a.yaml", "ioc/paths/b.yaml", "container/paths/c.yaml"),
    "ioc/paths/a.yaml": operation("a.v1", "listThings"),
    "ioc/paths/b.yaml": operation("b.v1", "listThings"),
    "container/paths/c.yaml": operation("c.v1", "listThings"),
  });
  expect(reports).toEqual([
    expect.objectContaining({ file: "ioc/paths/b.yaml", found: "listThings, the name of a.v1" }),
  ]);
});
