import { servedDocument } from "@security-platform/spec";
import { expect, test } from "vitest";
import { heavyRequestsOf } from "./request-turns.ts";

test.each([
  ["indicator.update.v1", { body: { indicators: [{ id: "a" }] } }, false],
  ["indicator.update.v1", { body: { bulk_update: null, indicators: [] } }, false],
  ["indicator.update.v1", { body: { bulk_update: { filter: "type:'md5'" } } }, true],
  ["indicator.delete.v1", { query: { ids: ["a"] } }, false],
  ["indicator.delete.v1", { query: { filter: "type:'md5'" } }, true],
  ["indicator.search.v1", { query: { filter: "type:'md5'" } }, false],
  ["indicator.aggregate.v1", { body: [] }, true],
  ["indicator.create.v1", {}, false],
])("%s with %j is heavy: %s", (id, { query, body }: { query?: object; body?: unknown }, heavy) => {
  const operation = servedDocument().operations.find((each) => each.id === id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  expect(heavyRequestsOf(operation)({ query, body })).toBe(heavy);
});
