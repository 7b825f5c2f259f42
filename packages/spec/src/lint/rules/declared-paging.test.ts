import { expect, test } from "vitest";
import { check, onePath } from "../testing/check.ts";
import { declaredPaging } from "./declared-paging.ts";

const reportsOf = (paging: string, ...parameters: readonly string[]) =>
  check(declaredPaging, {
    "openapi.yaml": onePath,
    "ioc/paths/things_v1.yaml": `get:\n  summary: s\n${paging}  parameters: [${parameters.join(", ")}]\n`,
  }).map(({ found: what, expected }) => [what, expected]);

const limit = "{ name: limit, in: query }";
const offset = "{ name: offset, in: query }";
const after = "{ name: after, in: query }";
const cursor = "{ name: offset, in: query, x-cursor: true }";

test("it matches the parameters", () => {
  expect(reportsOf("")).toEqual([]);
  expect(reportsOf("  x-paging: offset\n", limit, offset)).toEqual([]);
  expect(reportsOf("  x-paging: after\n", limit, offset, after)).toEqual([]);
  expect(reportsOf("  x-paging: after\n", limit, cursor)).toEqual([]);
});

test("missing, wrong and superfluous values are found, and pages without limit", () => {
  expect(reportsOf("", limit, after)).toEqual([["x-paging missing", "x-paging after"]]);
  expect(reportsOf("  x-paging: offset\n", limit, cursor)).toEqual([
    ["x-paging offset", "x-paging after"],
  ]);
  expect(reportsOf("  x-paging: offset\n")).toEqual([
    ["x-paging offset", "none without offset and cursor"],
  ]);
  expect(reportsOf("  x-paging: offset\n", offset)).toEqual([
    ["pages without limit", "a parameter limit"],
  ]);
});
