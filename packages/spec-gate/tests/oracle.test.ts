import { expect, test } from "vitest";
import * as messages from "./oracle/message-cases.ts";
import * as schemas from "./oracle/schema-cases.ts";

test("the verdict on generated pairs is that of set inclusion", () => {
  expect(schemas.cases.flatMap(schemas.disagreement)).toEqual([]);
  expect(schemas.cases.length).toBeGreaterThan(2_000);
});

test("the verdict on generated parameters and headers is that of inclusion of messages", () => {
  expect(messages.cases.flatMap(messages.disagreement)).toEqual([]);
  expect(messages.cases.length).toBeGreaterThan(4_000);
});
