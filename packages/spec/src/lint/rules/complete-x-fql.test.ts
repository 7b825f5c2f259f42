import { expect, test } from "vitest";
import { check, onePath } from "../testing/check.ts";
import { completeXFql } from "./complete-x-fql.ts";

const table = "{ use: filter, resource: things, fields: { $ref: ../fql/things.yaml } }";
const checked = (parameters: readonly string[], schema = "{}") =>
  check(completeXFql, {
    "openapi.yaml": onePath,
    "ioc/paths/things_v1.yaml": `get:\n  parameters:\n${parameters.map((each) => `    - ${each}\n`).join("")}`,
    "ioc/schemas/Thing.yaml": schema,
    "ioc/fql/things.yaml": "id: { type: string }\n",
    "ioc/fql/others.yaml": "id: { type: string }\n",
  }).map(({ line, found }) => [line, found]);

test("filters with a table, of an operation or of rows are valid", () => {
  expect(
    checked(
      [`{ name: filter, in: query, x-fql: ${table} }`, "{ name: limit, in: query }"],
      "properties:\n  filter: { x-fql: { use: filter, of: rows } }\n  q: { x-fql: { use: filter, of: operation } }\n",
    ),
  ).toEqual([]);
});

test("filter and sort without x-fql are found, also in bodies", () => {
  expect(checked(["{ name: sort, in: query }"], "properties:\n  filter: {}\n")).toEqual([
    [3, "sort without x-fql"],
    [2, "filter without x-fql"],
  ]);
});

test("a wrong use, another resource's table and inline fields are found", () => {
  expect(
    checked([
      `{ name: sort, in: query, x-fql: ${table} }`,
      "{ name: filter, in: query, x-fql: { use: filter, resource: things, fields: { $ref: ../fql/others.yaml } } }",
      "{ name: q, in: query, x-fql: { use: filter, resource: things, fields: {} } }",
    ]),
  ).toEqual([
    [3, "use filter"],
    [4, "fields of things from ioc/fql/others.yaml"],
    [5, "fields of things from no file"],
  ]);
});
