import { expect, test } from "vitest";
import { check, onePath } from "../testing/check.ts";
import { deprecationNamesSuccessor } from "./deprecation-names-successor.ts";

const reportsOf = (item: string) =>
  check(deprecationNamesSuccessor, {
    "openapi.yaml": onePath,
    "ioc/paths/things_v1.yaml": item,
  }).map(({ line, found: what }) => [line, what]);

test("a successor, and the statement that there is none, are valid", () => {
  expect(
    reportsOf(`get:
  operationId: old
  deprecated: true
  x-replaced-by: new
post:
  operationId: new
put:
  operationId: last
  deprecated: true
  x-replaced-by: null
`),
  ).toEqual([]);
});

test("missing, unknown and deprecated successors and superfluous statements are found", () => {
  expect(
    reportsOf(`get:
  operationId: a
  deprecated: true
post:
  operationId: b
  deprecated: true
  x-replaced-by: nowhere
put:
  operationId: c
  deprecated: true
  x-replaced-by: a
patch:
  operationId: d
  x-replaced-by: null
`),
  ).toEqual([
    [3, "no x-replaced-by"],
    [7, "nowhere"],
    [11, "a"],
    [14, "x-replaced-by without deprecated"],
  ]);
});
