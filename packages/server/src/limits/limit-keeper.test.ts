import { runs } from "@security-platform/fql/arbitraries";
import { array, assert, asyncProperty, integer, nat } from "fast-check";
import { expect, test } from "vitest";
import type { Clock } from "../foundation/clock.ts";
import { defaultLimits, type ServerLimits } from "../foundation/config.ts";
import { LimitKeeper } from "./limit-keeper.ts";
import type { Limits } from "./limits.ts";
import { tenantPoints } from "./points.ts";
import type { Channel } from "./messages.ts";
import { SharedLimits } from "./shared-limits.ts";

class TestClock implements Clock {
  time = Date.parse("2026-03-01T12:00:00Z");
  now(): Date {
    return new Date(this.time);
  }
}

interface Line {
  readonly ends: readonly [Channel, Channel];
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
  const startWorker = (): Worker => {
    const between = line();
    keeper.attach(between.ends[0]);
    return { limits: new SharedLimits(between.ends[1], limits), line: between };
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
        const workers = Array.from({ length: workerCount }, startWorker);
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

test("the remaining count includes the requests to other workers", async () => {
  const { startWorker, take } = server({ requestsPerMinute: 10 });
  const [first, second] = [startWorker(), startWorker()];
  expect(await take(first)).toMatchObject({ limit: 10, remaining: 9 });
  expect(await take(second)).toMatchObject({ limit: 10, remaining: 8 });
});

test("workers whose clocks differ share one window", async () => {
  const { clock, startWorker } = server({ requestsPerMinute: 2 });
  const worker = startWorker();
  const late = new Date(clock.time - 50);
  const answers = [clock.now(), late, clock.now()].map((now) =>
    worker.limits.take("requestsPerMinute", "tenant", now),
  );
  const allowed = (await Promise.all(answers)).map((answer) => answer?.allowed);
  expect(allowed).toEqual([true, true, false]);
});

test("keys and limits are independent, and a limit can be switched off", async () => {
  const { clock, startWorker, take } = server({
    requestsPerMinute: 1,
    tokenRequestsPerMinute: 0,
  });
  const worker = startWorker();
  expect((await take(worker, "a"))?.allowed).toBe(true);
  expect((await take(worker, "a"))?.allowed).toBe(false);
  expect((await take(worker, "b"))?.allowed).toBe(true);
  expect(await worker.limits.take("tokenRequestsPerMinute", "a", clock.now())).toBeNull();
});

test("failed authentications are counted together, and every worker blocks the address, also a new worker", async () => {
  const { clock, startWorker } = server({ failedAuthenticationsPerMinute: 15 });
  const workers = [startWorker(), startWorker()];
  const fail = (worker: Worker | undefined, address: string) =>
    worker?.limits.countFailure(address, clock.now());
  for (let failure = 0; failure < 15; failure += 1) {
    expect(await fail(workers[failure % 2], "192.0.2.1")).toBeNull();
  }
  for (const worker of [...workers, startWorker()]) {
    expect(await fail(worker, "192.0.2.1")).toMatchObject({ allowed: false, seconds: 60 });
    expect(await fail(worker, "192.0.2.2")).toBeNull();
  }
  clock.time += 60_000;
  for (const worker of workers) expect(await fail(worker, "192.0.2.1")).toBeNull();
});

test("query points are counted together", async () => {
  const { clock, startWorker } = server({});
  const [first, second] = [startWorker(), startWorker()];
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
  const { clock, startWorker, take } = server({ requestsPerMinute: 5 });
  const worker = startWorker();
  const asked = take(worker);
  worker.line.cut();
  expect(await asked).toBeNull();
  expect(await take(worker)).toBeNull();
  expect(await worker.limits.spend("a", 1, clock.now())).toMatchObject({ accepted: true });
});
