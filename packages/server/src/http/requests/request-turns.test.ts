import { servedDocument } from "@security-platform/spec";
import type { FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { heavyRequestsOf, RequestTurns } from "./request-turns.ts";

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

type Sent = readonly ["light" | "change", string];

/** Works on requests that each use all of a turn of the event loop, and returns their order, and the most of one turn. */
async function worked(requests: readonly Sent[]) {
  const limits = { requestsInWork: 8, requestsWaiting: 0, waitMilliseconds: 0 };
  const turns = new RequestTurns(limits, null);
  const order: string[] = [];
  const worksOfTurns: number[] = [0];
  let next = setImmediate(function tick() {
    worksOfTurns.push(0);
    next = setImmediate(tick);
  });
  const work = async (name: string): Promise<void> => {
    const until = performance.now() + 4;
    while (performance.now() < until);
    order.push(name);
    worksOfTurns[worksOfTurns.length - 1] = (worksOfTurns.at(-1) ?? 0) + 1;
  };
  await Promise.all(
    requests.map(([weight, ip]) =>
      turns.run({ caller: null, ip } as FastifyRequest, weight, () => work(`${weight} ${ip}`)),
    ),
  );
  clearImmediate(next);
  return { order, mostOfTurn: Math.max(...worksOfTurns) };
}

const many = (count: number, item: Sent): readonly Sent[] => Array<Sent>(count).fill(item);

test("reads that use all of a turn of the event loop leave the next one to changes", async () => {
  const { order, mostOfTurn } = await worked([
    ...many(40, ["light", "::1"]),
    ...many(3, ["change", "::1"]),
  ]);
  expect(order).toHaveLength(43);
  expect(mostOfTurn).toBeLessThan(3);
  expect(order.lastIndexOf("change ::1")).toBeLessThan(10);
});

test("a request of another tenant waits for one turn of the event loop, and not for all places", async () => {
  const { order, mostOfTurn } = await worked([
    ...many(40, ["light", "192.0.2.1"]),
    ["light", "192.0.2.2"],
  ]);
  expect(order.indexOf("light 192.0.2.2")).toBeLessThan(4);
  expect(mostOfTurn).toBeLessThan(3);
});
