/** @module-tag exhaustive */
import { describe, expect, test } from "vitest";
import { groupBy } from "../src/group-by.ts";
import * as messages from "./oracle/message-cases.ts";
import * as schemas from "./oracle/schema-cases.ts";

describe("the verdict on generated pairs is that of set inclusion", () => {
  test.each([...groupBy(schemas.cases, ({ family }) => family)])("%s", (_family, cases) => {
    expect(cases.flatMap(schemas.disagreement)).toEqual([]);
  });
});

describe("the verdict on generated parameters and headers is that of inclusion of messages", () => {
  test.each([...groupBy(messages.cases, ({ family }) => family)])("%s", (_family, cases) => {
    expect(cases.flatMap(messages.disagreement)).toEqual([]);
  });
});

test("there are many pairs of each kind", () => {
  expect(schemas.cases.length).toBeGreaterThan(2_000);
  expect(messages.cases.length).toBeGreaterThan(4_000);
});
