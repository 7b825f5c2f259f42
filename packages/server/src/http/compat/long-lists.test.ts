import { servedDocument } from "@security-platform/spec";
import { expect, test } from "vitest";
import { requestReader } from "../validate/request.ts";
import { ExistingClients } from "./existing-clients.ts";
import { ValueRules } from "./value-rules.ts";

/** An item that counts how many items were looked at. */
function countedItems(count: number): { readonly items: readonly object[]; seen: () => number } {
  const seen = new Set<number>();
  const items = Array.from(
    { length: count },
    (_, index) =>
      new Proxy(
        {},
        {
          ownKeys: () => {
            seen.add(index);
            return [];
          },
          get: () => void seen.add(index),
          has: () => {
            seen.add(index);
            return false;
          },
          getOwnPropertyDescriptor: () => void seen.add(index),
        },
      ),
  );
  return { items, seen: () => seen.size };
}

const operation = servedDocument().operations.find(({ id }) => id === "indicator.create.v1");
if (operation === undefined) throw new Error("the operation is missing");
const request = (items: readonly object[]) => ({
  query: {},
  params: {},
  headers: {},
  body: { indicators: items },
});

test("items beyond the documented maximum are not rewritten for existing clients", () => {
  const most = countedItems(2_000);
  new ExistingClients(operation).rewrite(request(most.items));
  expect(most.seen()).toBe(2_000);
  const more = countedItems(2_001);
  new ExistingClients(operation).rewrite(request(more.items));
  expect(more.seen()).toBe(0);
});

test("items beyond the documented maximum are not all read", async () => {
  const more = countedItems(100_000);
  await expect(async () => requestReader(operation)(request(more.items))).rejects.toThrow(
    "expected 1 to 2000 items",
  );
  // What is reported of them comes from a sample.
  expect(more.seen()).toBeLessThan(3_000);
});

test("names that the document does not have are not kept", () => {
  const rules = new ValueRules([
    { properties: { known: { type: "string" } }, additionalProperties: { type: "boolean" } },
  ]);
  expect(rules.member("known")).toBe(rules.member("known"));
  expect(rules.member("known")?.isBoolean).toBe(false);
  expect(rules.member("one")?.isBoolean).toBe(true);
  expect(rules.member("one")).toBe(rules.member("two"));
});
