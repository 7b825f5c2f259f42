import { expect, test } from "vitest";
import { TenantTurns } from "./tenant-turns.ts";

/** Turns over workers with these numbers. Works are named, and end when the test says so. */
function turnsOf(workers: readonly number[]) {
  const turns = new TenantTurns(workers);
  const running = new Map<string, (failure?: Error) => void>();
  return {
    running: () => [...running.keys()],
    start: (cid: string, name: string): Promise<number> =>
      turns.run(cid, async (worker) => {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        running.set(name, (failure) => (failure === undefined ? resolve() : reject(failure)));
        await promise;
        return worker;
      }),
    end: async (name: string, work: Promise<number>, failure?: Error): Promise<number> => {
      const end = running.get(name);
      running.delete(name);
      end?.(failure);
      return work;
    },
  };
}

test("a tenant with slow work leaves a worker to the others", () => {
  const { start, running } = turnsOf([1, 2, 3]);
  for (const name of ["a1", "a2", "a3"]) void start("a", name);
  expect(running()).toEqual(["a1", "a2"]);
  void start("b", "b1");
  expect(running()).toEqual(["a1", "a2", "b1"]);
});

test("tenants that wait take turns, and the works of one keep their order", async () => {
  const { start, end, running } = turnsOf([1, 2]);
  const names = ["a1", "a2", "a3", "b1", "b2", "c1"];
  const works = new Map(names.map((name) => [name, start(name.slice(0, 1), name)]));
  const order: string[] = [];
  while (running().length > 0) {
    const [first = ""] = running();
    order.push(first);
    await end(first, works.get(first) ?? Promise.reject(new Error(first)));
  }
  expect(order).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
});

test("a worker whose work failed takes the next", async () => {
  const { start, end, running } = turnsOf([7]);
  const failed = start("a", "a1");
  const next = start("a", "a2");
  expect(running()).toEqual(["a1"]);
  await expect(end("a1", failed, new Error("broken"))).rejects.toThrow("broken");
  expect(running()).toEqual(["a2"]);
  expect(await end("a2", next)).toBe(7);
});
