import { runs } from "@security-platform/fql/arbitraries";
import { array, assert, asyncProperty, integer, nat } from "fast-check";
import { expect, test } from "vitest";
import type { Clock } from "../clock.ts";
import { defaultLimits, type ServerLimits } from "../config.ts";
import { LimitKeeper } from "./limit-keeper.ts";
import type { Limits } from "./limits.ts";
import { tenantPoints } from "./points.ts";
import type { Channel } from "./port.ts";
import { joinLimits } from "./shared-limits.ts";

class TestClock implements Clock {
  time = Date.parse("2026-03-01T12:00:00Z");
  now(): Date {
    return new Date(this.time);
  }
}

interface Line {
  readonly ends: readonly [Channel, Channel];
  messages: number;
  cut(): void;
}

/**
 * A connection between two processes: messages arrive as JSON, in order, one turn of the event loop later.
 */
function line(): Line {
  const closed: (() => void)[] = [];
  const listeners: ((message: unknown) => void)[][] = [[], []];
  let open = true;
  const end = (own: 0 | 1): Channel => ({
    send: (message) => {
      result.messages += 1;
      const text = JSON.stringify(message);
      setImmediate(() => {
        if (open) for (const listener of listeners[1 - own] ?? []) listener(JSON.parse(text));
      });
    },
    onMessage: (listener) => listeners[own]?.push(listener),
    onClose: (listener) => closed.push(listener),
  });
  const result: Line = {
    ends: [end(0), end(1)],
    messages: 0,
    cut: () => {
      open = false;
      for (const listener of closed) listener();
    },
  };
  return result;
}

interface Worker {
  readonly limits: Limits;
  readonly line: Line;
}

function server(overrides: Partial<ServerLimits>) {
  const clock = new TestClock();
  const limits = { ...defaultLimits, ...overrides };
  const keeper = new LimitKeeper(limits, clock);
  const startWorker = async (): Promise<Worker> => {
    const between = line();
    keeper.attach(between.ends[0]);
    return { limits: await joinLimits(between.ends[1], limits, clock), line: between };
  };
  const take = (worker: Worker, key = "tenant") =>
    Promise.resolve(worker.limits.take("requestsPerMinute", key, clock.now()));
  return { clock, startWorker, take };
}

const count = (values: readonly boolean[]): number => values.filter(Boolean).length;

test("any mix of workers admits exactly the limit, and again in the next window", async () => {
  await assert(
    asyncProperty(
      integer({ min: 1, max: 700 }),
      integer({ min: 1, max: 4 }),
      array(nat({ max: 3 }), { minLength: 1, maxLength: 40 }),
      integer({ min: 1, max: 60 }),
      async (limit, workerCount, order, burst) => {
        const { clock, startWorker, take } = server({ requestsPerMinute: limit });
        const workers = await Promise.all(Array.from({ length: workerCount }, startWorker));
        for (let window = 0; window < 2; window += 1) {
          let admitted = 0;
          let refused = false;
          for (let step = 0; !refused; step += 1) {
            const worker = workers[(order[step % order.length] ?? 0) % workerCount];
            if (worker === undefined) throw new Error("no worker");
            const answers = await Promise.all(Array.from({ length: burst }, () => take(worker)));
            admitted += count(answers.map((answer) => answer?.allowed === true));
            refused = answers.some((answer) => answer?.allowed === false);
          }
          expect(admitted).toBe(limit);
          clock.time += 60_000;
        }
      },
    ),
    { numRuns: runs(60) },
  );
});

test("workers that request leases at the same time share the remaining requests", async () => {
  const { startWorker, take } = server({ requestsPerMinute: 1_000 });
  const workers = await Promise.all(Array.from({ length: 3 }, startWorker));
  const answers = await Promise.all(
    workers.flatMap((worker) => Array.from({ length: 500 }, () => take(worker))),
  );
  expect(count(answers.map((answer) => answer?.allowed === true))).toBe(1_000);
  expect(answers.at(-1)).toMatchObject({ limit: 1_000, remaining: 0 });
});

test("a lease of an idle worker is recalled before a request is rejected", async () => {
  const { startWorker, take } = server({ requestsPerMinute: 6_000 });
  const [idle, busy] = [await startWorker(), await startWorker()];
  expect(await take(idle)).toMatchObject({ allowed: true, remaining: 5_999 });
  for (let taken = 1; taken < 6_000; taken += 1) {
    expect((await take(busy))?.allowed).toBe(true);
  }
  expect((await take(busy))?.allowed).toBe(false);
  expect((await take(idle))?.allowed).toBe(false);
});

test("sends few requests to the keeper, and none for a tenant beyond its limit", async () => {
  const { startWorker, take } = server({ requestsPerMinute: 6_000 });
  const worker = await startWorker();
  for (let taken = 0; taken < 6_000; taken += 1) await take(worker);
  expect(worker.line.messages).toBeLessThan(600);
  await take(worker);
  const before = worker.line.messages;
  for (let refused = 0; refused < 100; refused += 1) {
    expect((await take(worker))?.allowed).toBe(false);
  }
  expect(worker.line.messages).toBe(before);
});

test("remaining counts include the other workers within a second", async () => {
  const { clock, startWorker, take } = server({ requestsPerMinute: 6_000 });
  const [quiet, busy] = [await startWorker(), await startWorker()];
  await take(quiet);
  for (let taken = 0; taken < 3_000; taken += 1) await take(busy);
  clock.time += 1_000;
  const remaining = (await take(quiet))?.remaining ?? 0;
  expect(remaining).toBeGreaterThanOrEqual(2_998);
  expect(remaining).toBeLessThan(2_998 + 32);
});

test("a worker that dies during a recall blocks nobody, and its lease is free in the next window", async () => {
  const { clock, startWorker, take } = server({ requestsPerMinute: 100 });
  const [dying, living] = [await startWorker(), await startWorker()];
  await take(dying);
  const answers = Array.from({ length: 100 }, () => take(living));
  setImmediate(() => dying.line.cut());
  const admitted = count((await Promise.all(answers)).map((answer) => answer?.allowed === true));
  expect(admitted).toBeGreaterThanOrEqual(100 - 12);
  expect(admitted).toBeLessThan(100);
  clock.time += 60_000;
  const next = await Promise.all(Array.from({ length: 101 }, () => take(living)));
  expect(count(next.map((answer) => answer?.allowed === true))).toBe(100);
});

test("keys and limits are independent, and a limit can be switched off", async () => {
  const { clock, startWorker, take } = server({
    requestsPerMinute: 1,
    tokenRequestsPerMinute: 0,
  });
  const worker = await startWorker();
  expect((await take(worker, "a"))?.allowed).toBe(true);
  expect((await take(worker, "a"))?.allowed).toBe(false);
  expect((await take(worker, "b"))?.allowed).toBe(true);
  expect(worker.limits.take("tokenRequestsPerMinute", "a", clock.now())).toBeNull();
});

test("failed authentications are counted together, and every worker blocks the address, also a new worker", async () => {
  const { clock, startWorker } = server({ failedAuthenticationsPerMinute: 15 });
  const workers = [await startWorker(), await startWorker()];
  for (let failure = 0; failure < 15; failure += 1) {
    for (const { limits } of workers) expect(limits.blocked("192.0.2.1", clock.now())).toBeNull();
    await workers[failure % 2]?.limits.countFailure("192.0.2.1", clock.now());
  }
  for (const { limits } of [...workers, await startWorker()]) {
    expect(limits.blocked("192.0.2.1", clock.now())).toMatchObject({ allowed: false, seconds: 60 });
    expect(limits.blocked("192.0.2.2", clock.now())).toBeNull();
  }
  clock.time += 60_000;
  for (const { limits } of workers) expect(limits.blocked("192.0.2.1", clock.now())).toBeNull();
});

test("query points are counted together", async () => {
  const { clock, startWorker } = server({});
  const [first, second] = [await startWorker(), await startWorker()];
  const half = tenantPoints / 2;
  expect(await first.limits.spend("a", half, clock.now())).toMatchObject({ accepted: true });
  expect(await second.limits.spend("a", half + 1, clock.now())).toMatchObject({
    accepted: false,
    remaining: half,
  });
  expect(await second.limits.spend("a", half, clock.now())).toMatchObject({
    accepted: true,
    remaining: 0,
    reset: 600,
  });
});

test("a worker without a keeper finishes its requests", async () => {
  const { startWorker, take } = server({ requestsPerMinute: 5 });
  const worker = await startWorker();
  const under = take(worker);
  worker.line.cut();
  expect((await under)?.allowed).toBe(true);
});
