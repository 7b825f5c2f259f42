import { expect, test } from "vitest";
import { setImmediate } from "node:timers/promises";
import type { Clock } from "../foundation/clock.ts";
import { defaultLimits, type ServerLimits } from "../foundation/config.ts";
import type { LimitCount, LimitCounts } from "../foundation/limit-counts.ts";
import { DatabaseLimits } from "./database-limits.ts";
import { LocalLimits } from "./limits.ts";

class TestClock implements Clock {
  time = Date.parse("2026-03-01T12:00:00Z");
  now(): Date {
    return new Date(this.time);
  }
}

/** The counts of a database in memory. */
class MemoryCounts implements LimitCounts {
  readonly rows = new Map<string, { count: number; endsAt: number }>();
  readonly calls: (readonly LimitCount[])[] = [];
  /** Throws, or waits. */
  before: () => Promise<void> = async () => {};

  async add(counts: readonly LimitCount[], now: Date, windowMilliseconds: number) {
    this.calls.push(counts);
    await this.before();
    const names = counts.map(({ limit, key }) => `${limit} ${key}`);
    if (new Set(names).size < names.length) throw new Error("a key is counted twice");
    const at = now.getTime();
    return counts.map(({ limit, key, count }) => {
      const name = `${limit} ${key}`;
      const current = this.rows.get(name);
      const row =
        current === undefined || current.endsAt <= at
          ? { count, endsAt: at + windowMilliseconds }
          : { ...current, count: current.count + count };
      this.rows.set(name, row);
      return { limit, key, ...row };
    });
  }

  purge(): Promise<number> {
    return Promise.resolve(0);
  }
}

function servers(number: number, overrides: Partial<ServerLimits>) {
  const clock = new TestClock();
  const counts = new MemoryCounts();
  const limits = { ...defaultLimits, ...overrides };
  const timers: { readonly milliseconds: number; readonly work: () => void }[] = [];
  const away: unknown[] = [];
  const open = () =>
    new DatabaseLimits({
      counts,
      limits,
      clock,
      local: new LocalLimits(limits),
      onAway: (error) => away.push(error),
      after: (milliseconds, work) => void timers.push({ milliseconds, work }),
    });
  const all = Array.from({ length: number }, open);
  const take = async (at: number, key = "tenant") => {
    const allowance = await all[at % number]?.take("requestsPerMinute", key, clock.now());
    if (allowance === null || allowance === undefined) throw new Error("the limit is off");
    return allowance;
  };
  /** Lets the time pass that the timers wait for. */
  const pass = async (milliseconds: number) => {
    const due = timers.filter((timer) => timer.milliseconds <= milliseconds);
    for (const timer of due) {
      timers.splice(timers.indexOf(timer), 1);
      timer.work();
    }
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
  };
  return { all, clock, counts, take, pass, away };
}

/** Takes until a request is refused by each server in turn. Returns the number that was allowed. */
async function exhaust(take: (at: number) => Promise<{ allowed: boolean }>, number: number) {
  let allowed = 0;
  for (let at = 0, refused = 0; refused < number; at += 1) {
    if ((await take(at)).allowed) {
      allowed += 1;
      refused = 0;
    } else refused += 1;
  }
  return allowed;
}

test("a limit below 1,000 is exact, and so is what remains", async () => {
  const { take, clock } = servers(3, { requestsPerMinute: 10 });
  for (let window = 0; window < 2; window += 1) {
    const remaining = [];
    for (let at = 0; at < 10; at += 1) remaining.push((await take(at)).remaining);
    expect(remaining).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    const refused = await take(1);
    expect(refused).toMatchObject({ allowed: false, limit: 10, remaining: 0, seconds: 60 });
    clock.time += 60_000;
  }
});

test("concurrent requests to several servers never exceed a small limit", async () => {
  const { take, counts } = servers(2, { requestsPerMinute: 999 });
  const answers = await Promise.all(Array.from({ length: 2_000 }, (_, at) => take(at)));
  expect(answers.filter(({ allowed }) => allowed)).toHaveLength(999);
  expect(counts.calls).toHaveLength(2);
});

test("a large limit is exceeded by at most two hundredths for each other server", async () => {
  const { take, counts } = servers(3, { requestsPerMinute: 6_000 });
  const allowed = await exhaust(take, 3);
  expect(allowed).toBeGreaterThanOrEqual(6_000);
  expect(allowed).toBeLessThanOrEqual(6_000 + 2 * 120);
  // No statement for each request.
  expect(counts.calls.length).toBeLessThan(6_000 / 20);
});

test("a limit that one server has used up is used up on the others, also on one that had no request", async () => {
  const { all, take, pass, clock } = servers(2, { requestsPerMinute: 1_000 });
  while ((await take(0)).allowed);
  await pass(100);
  const first = await all[1]?.take("requestsPerMinute", "tenant", clock.now());
  expect(first).toMatchObject({ allowed: false, remaining: 0 });
  expect((await take(1, "another")).allowed).toBe(true);
});

test("what is less than a slice is added later", async () => {
  const { take, pass, counts } = servers(2, { requestsPerMinute: 1_000 });
  await take(0);
  await take(0);
  await take(0);
  expect(counts.calls).toHaveLength(1);
  await pass(100);
  expect(counts.calls.at(-1)).toEqual([{ limit: "requestsPerMinute", key: "tenant", count: 2 }]);
  expect((await take(1)).remaining).toBe(996);
});

test("what a window has left to add does not count in the next one", async () => {
  const { take, pass, counts, clock, away } = servers(2, { requestsPerMinute: 1_000 });
  await take(0);
  await take(0);
  clock.time += 60_000;
  expect((await take(0)).remaining).toBe(999);
  await pass(100);
  expect((await take(1)).remaining).toBe(998);
  await take(0);
  clock.time += 60_000;
  await pass(100);
  expect(counts.rows.get("requestsPerMinute tenant")?.count).toBe(2);
  expect(away).toEqual([]);
});

test("without the database a server counts alone, and adds its counts once it responds", async () => {
  const { take, pass, counts, away } = servers(2, { requestsPerMinute: 10 });
  expect((await take(0)).remaining).toBe(9);
  counts.before = () => Promise.reject(new Error("away"));
  const answers = [];
  for (let at = 0; at < 5; at += 1) answers.push(await take(0));
  expect(answers.map(({ remaining }) => remaining)).toEqual([8, 7, 6, 5, 4]);
  expect(away).toHaveLength(1);
  counts.before = async () => {};
  await pass(1_000);
  expect(counts.rows.get("requestsPerMinute tenant")?.count).toBe(6);
  expect((await take(1)).remaining).toBe(3);
});

test("a request does not wait for a database that does not respond", async () => {
  const { take, pass, counts } = servers(1, { requestsPerMinute: 10 });
  let respond = (): void => {};
  counts.before = () => new Promise((resolve) => (respond = resolve));
  const waiting = Promise.all([take(0), take(0)]);
  await pass(0);
  await pass(2_000);
  expect((await waiting).map(({ remaining }) => remaining)).toEqual([9, 8]);
  expect((await take(0)).remaining).toBe(7);
  respond();
  counts.before = async () => {};
  await pass(1_000);
  expect(counts.rows.get("requestsPerMinute tenant")?.count).toBe(3);
});

test("a server that stops adds its counts first", async () => {
  const { all, take, counts } = servers(2, { requestsPerMinute: 1_000 });
  await take(0);
  await take(0);
  await all[0]?.stop();
  expect(counts.rows.get("requestsPerMinute tenant")?.count).toBe(2);
  expect((await take(0)).remaining).toBe(997);
  expect(counts.calls).toHaveLength(2);
});

test("servers whose clocks differ share a window", async () => {
  const { all, clock, take } = servers(2, { requestsPerMinute: 5 });
  await take(0);
  const late = new Date(clock.time - 2_000);
  const allowance = await all[1]?.take("requestsPerMinute", "tenant", late);
  expect(allowance?.remaining).toBe(3);
});

test("failed authentications of an address are counted on all servers", async () => {
  const { all, clock } = servers(2, { failedAuthenticationsPerMinute: 4 });
  const fail = (at: number) => all[at % 2]?.countFailure("192.0.2.1", clock.now());
  for (let at = 0; at < 4; at += 1) expect(await fail(at)).toBeNull();
  expect(await fail(0)).toMatchObject({ allowed: false });
  expect(await fail(1)).toMatchObject({ allowed: false });
  expect(await all[0]?.countFailure("192.0.2.2", clock.now())).toBeNull();
});

test("a limit of 0 is off", async () => {
  const { all, clock, counts } = servers(1, { requestsPerMinute: 0 });
  expect(all[0]?.take("requestsPerMinute", "a", clock.now())).toBeNull();
  expect(counts.calls).toEqual([]);
});
