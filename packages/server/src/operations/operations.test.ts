import { operations } from "@security-platform/spec";
import { expect, test } from "vitest";
import { operationHandlers } from "./index.ts";

test("there is a handler for each operation of the document, and no other", () => {
  const documented = operations().map(({ id }) => id);
  expect(documented.length).toBeGreaterThan(200);
  expect(Object.keys(operationHandlers).toSorted()).toEqual(documented.toSorted());
});
