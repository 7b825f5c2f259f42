import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { operations } from "./index.ts";

const [, ...reference] = readFileSync(
  new URL("./testing/reference-operations.tsv", import.meta.url),
  "utf8",
)
  .trimEnd()
  .split("\n");

describe("the written specification", () => {
  test("lists 212 operations in nine collections", () => {
    expect(reference.length).toBe(212);
    expect(new Set(reference.map((line) => line.split("\t")[3])).size).toBe(9);
  });

  test("has the operations of the document except the token operations: same method, path, id, collection", () => {
    const documented = operations()
      .filter(({ document, collection }) => document === "platform" && collection !== "oauth2")
      .map(({ id, method, path, tag }) => [id, method.toUpperCase(), path, tag].join("\t"));
    expect(documented.toSorted()).toEqual(reference.toSorted());
  });

  test("refers to RFC 6749 and RFC 7009 for the token operations", () => {
    const own = operations().filter(({ collection }) => collection === "oauth2");
    expect(own.map(({ id }) => id).toSorted()).toEqual(["oauth2AccessToken", "oauth2RevokeToken"]);
  });
});
