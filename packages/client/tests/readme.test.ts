import { readFileSync } from "node:fs";
import { operations } from "@security-platform/spec";
import { expect, test } from "vitest";

test("the README lists all methods of a collection", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const rows = [...readme.matchAll(/^\| `(\w+)` +\| `([^`]+)` +\|$/gm)];
  const expected = operations()
    .filter(({ collection }) => collection === "ioc")
    .map(({ id, methodName }) => [id, methodName]);
  expect(Object.fromEntries(rows.map(([, name, id]) => [id, name]))).toEqual(
    Object.fromEntries(expected),
  );
});
