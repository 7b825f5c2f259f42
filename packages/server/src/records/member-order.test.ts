import type { components } from "@security-platform/spec";
import { expect, test } from "vitest";
import { memberOrder } from "./member-order.ts";

test("orders members as in the schema of the document, including nested objects", () => {
  type Shown = Pick<components["schemas"]["Indicator"], "id" | "type" | "metadata" | "tags">;
  const inOrder = memberOrder<Shown>("Indicator");
  const record = inOrder({
    tags: ["b", "a"],
    metadata: { signed: true, filename: "a.exe" },
    type: "md5",
    id: "1",
  });
  expect(JSON.stringify(record)).toBe(
    '{"id":"1","type":"md5","tags":["b","a"],"metadata":{"filename":"a.exe","signed":true}}',
  );
});

test("omits members without a value and unlisted members; hidden members come last", () => {
  const inOrder = memberOrder<object>("Invitation", ["roles"]);
  const record = inOrder({ roles: [], other: 1, status: undefined, invitation_id: "1" } as object);
  expect(JSON.stringify(record)).toBe('{"invitation_id":"1","roles":[]}');
});

test("null, false, 0 and the empty text are values", () => {
  const inOrder = memberOrder<object>("Indicator");
  const values = { id: "", type: null, applied_globally: false, metadata: { av_hits: 0 } };
  expect(inOrder(values as object)).toEqual(values);
  expect(inOrder({ metadata: null } as object)).toEqual({ metadata: null });
});

test("a schema that is not an object is rejected", () => {
  expect(() => memberOrder("IndicatorType")).toThrow(
    "the schema IndicatorType lists no properties",
  );
});
