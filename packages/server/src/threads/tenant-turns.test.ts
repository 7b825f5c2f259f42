import { expect, test } from "vitest";
import { NoTurnError, TenantTurns } from "./tenant-turns.ts";

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

test("a work that continues comes before what else of its tenant waits", async () => {
  const turns = new TenantTurns([1]);
  const order: string[] = [];
  const note = (name: string) => async (): Promise<void> => void order.push(name);
  const { promise, resolve } = Promise.withResolvers<void>();
  const works = [
    turns.run("a", () => promise),
    turns.run("a", note("a2")),
    turns.run("b", note("b1")),
    turns.run("a", note("a1, again"), { goesOn: true }),
  ];
  resolve();
  await Promise.all(works);
  expect(order).toEqual(["b1", "a1, again", "a2"]);
});

test("work is refused if too much of its tenant waits, or if it waits for too long", async () => {
  let now = 0;
  const turns = new TenantTurns([1], { ofTenant: 2, milliseconds: 100, now: () => now });
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = turns.run("a", () => promise);
  const second = turns.run("a", async () => "second");
  now = 60;
  const third = turns.run("a", async () => "third");
  await expect(turns.run("a", async () => "fourth")).rejects.toThrow(NoTurnError);
  const other = turns.run("b", async () => "other");
  expect(turns.waiting).toBe(3);
  now = 110;
  turns.refuseLate();
  await expect(second).rejects.toThrow("waited for 100 ms");
  expect(turns.waiting).toBe(2);
  resolve("first");
  expect(await Promise.all([first, third, other])).toEqual(["first", "third", "other"]);
  expect(turns.waiting).toBe(0);
});
