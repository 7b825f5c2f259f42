import { describe, expect, test } from "vitest";
import { CountingHooks } from "../../tests/support/counting-hooks.ts";
import { failure, start } from "../../tests/support/scripted-client.ts";
import { TestClock } from "../../tests/support/test-clock.ts";
import { Pace, Slots } from "./limits.ts";
import { envelope } from "../../tests/support/scripted-server.ts";

const busy = envelope(429, "too many");
const refused = new TypeError("fetch failed", {
  cause: Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }),
});
const reset = new TypeError("fetch failed", { cause: new Error("socket hang up") });
const indicators = { body: { indicators: [] } };

type Outcome = ReturnType<typeof envelope> | Error;

/** A server whose first outcomes are these; later ones are successes. */
function startWith(outcomes: readonly Outcome[], options = {}) {
  const started = start({ random: () => 0.5, ...options });
  const left = [...outcomes];
  started.server.answer = () => {
    const next = left.shift();
    if (next instanceof Error) throw next;
    return next ?? { body: [] };
  };
  return started;
}

describe("a failed call", () => {
  test.each([
    ["429", busy],
    ["503", envelope(503, "overloaded")],
    ...[408, 500, 502, 504].map((status) => [`${status}`, envelope(status, "no")] as const),
    ["a refused connection", refused],
    ["an interrupted connection", reset],
  ] as const)("that is idempotent is repeated after %s", async (_, outcome) => {
    const { client, server, clock } = startWith([outcome, outcome]);
    await client.ioc.listPlatforms();
    expect(server.calls).toHaveLength(3);
    expect(clock.sleeps).toEqual([125, 250]);
  });

  test.each([
    ["429", busy, 2],
    ["503 with a time", { ...envelope(503, "no"), headers: { "retry-after": "1" } }, 2],
    ["a refused connection", refused, 2],
    ["503 without a time", envelope(503, "overloaded"), 1],
    ["500", envelope(500, "internal error"), 1],
    ["an interrupted connection", reset, 1],
    ["507", envelope(507, "the tenant's storage is full"), 1],
  ] as const)(
    "that creates without a key is repeated only if nothing happened: %s",
    async (_, outcome, count) => {
      const { client, server } = startWith([outcome], { idempotencyKeys: false });
      await client.ioc.createIndicators.try(indicators);
      expect(server.calls).toHaveLength(count);
    },
  );

  test.each([
    ["503 without a time", envelope(503, "overloaded")],
    ["500", envelope(500, "internal error")],
    ["an interrupted connection", reset],
    ["409 with a time", { ...envelope(409, "in progress"), headers: { "retry-after": "1" } }],
  ] as const)("that creates is repeated with its key after %s", async (_, outcome) => {
    const { client, server } = startWith([outcome, outcome]);
    await client.ioc.createIndicators(indicators);
    await client.ioc.createIndicators(indicators);
    const keys = server.calls.map(({ headers }) => headers.get("idempotency-key"));
    expect(keys[0]).toMatch(/^[!-~]{16,255}$/);
    expect(keys.map((key) => keys.indexOf(key))).toEqual([0, 0, 0, 3]);
  });

  test("has a key only if it would act again: not a read, a deletion or a token request", async () => {
    const { client, server } = startWith([]);
    await client.ioc.listPlatforms();
    await client.ioc.deleteIndicators({ ids: ["a"] });
    await client.caseManagement.getCases({ ids: ["a"] } as never).catch(() => undefined);
    await client.caseManagement.createCase({ body: { name: "a", severity: 1 } });
    const keys = [...server.tokenRequests, ...server.calls].map(({ method, headers }) => [
      method,
      headers.has("idempotency-key"),
    ]);
    expect(keys).toContainEqual(["PUT", true]);
    expect(keys.filter(([, has]) => has === true)).toHaveLength(1);
  });

  test("is not sent with a key that no header can contain", async () => {
    const { client, server } = startWith([]);
    const error = await failure(
      client.ioc.createIndicators(indicators, { idempotencyKey: "line\nbreak" }),
    );
    expect(String(error)).toMatch(
      /^TypeError: POST \/iocs\/entities\/indicators\/v1: .*line\nbreak/,
    );
    expect(server.calls).toEqual([]);
  });

  test("that gets a conflict is not repeated", async () => {
    const { client, server } = startWith([envelope(409, "exists already")]);
    const error = await failure(client.ioc.createIndicators(indicators));
    expect(error).toMatchObject({ name: "ConflictError", attempts: 1, mayHaveActed: false });
    expect(server.calls).toHaveLength(1);
  });

  test("that may have been carried out says so if its retry gets no token", async () => {
    const { client, server, clock } = start();
    server.answer = () => {
      server.grant = () => envelope(500, "no tokens");
      clock.advance(1_800_000);
      throw reset;
    };
    const error = await failure(
      client.ioc.deleteIndicators({ ids: ["a"] }, { retryWithinMilliseconds: Infinity }),
    );
    expect(error).toMatchObject({
      name: "NetworkError",
      operationId: "indicator.delete.v1",
      attempts: 1,
      mayHaveActed: true,
      cause: { name: "ServerError", operationId: "oauth2AccessToken" },
    });
  });

  test("waits at most 8 s between its requests, unless the server says more", async () => {
    const options = { retries: 9, retryWithinMilliseconds: Infinity };
    const { client, clock } = startWith(Array<Outcome>(9).fill(busy), {
      ...options,
      random: () => 1,
    });
    await client.ioc.listPlatforms();
    expect(clock.sleeps).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000]);
  });

  test.each([
    [500, true],
    [502, true],
    [503, true],
    [507, false],
    [429, false],
    [404, false],
  ])("with status %i says whether it may have acted: %s", async (status, mayHaveActed) => {
    const { client } = startWith([envelope(status, "no")], { retries: 0 });
    const error = await failure(client.ioc.deleteIndicators({ ids: ["a"] }));
    expect(error).toMatchObject({ status, mayHaveActed });
  });

  test("waits as long as the server says, within its total time", async () => {
    const wait = (seconds: number) => ({ ...busy, headers: { "retry-after": String(seconds) } });
    const patient = startWith([wait(7)]);
    await patient.client.ioc.listPlatforms();
    expect(patient.clock.sleeps).toEqual([7_000]);
    const hasty = startWith([wait(7)], { retryWithinMilliseconds: 5_000 });
    const error = await failure(hasty.client.ioc.listPlatforms());
    expect(error).toMatchObject({ name: "RateLimitError", retryAfterSeconds: 7, attempts: 1 });
    expect(hasty.clock.sleeps).toEqual([]);
  });

  test("tells the number of attempts", async () => {
    const { client } = startWith([reset, reset, reset]);
    const error = await failure(client.ioc.listPlatforms());
    expect(error).toMatchObject({ name: "NetworkError", attempts: 3 });
    expect(String(error)).toContain("socket hang up (after 3 attempts)");
  });

  test("is not repeated without retries, or when it is rejected", async () => {
    const { client, server } = startWith([busy, envelope(400, "no")]);
    await failure(client.ioc.listPlatforms({}, { retries: 0 }));
    await failure(client.ioc.listPlatforms());
    expect(server.calls).toHaveLength(2);
  });

  test("has an idempotency key and headers, which cannot replace those of the client", async () => {
    const { client, server } = startWith([]);
    const headers = { "x-team": "blue", authorization: "Bearer other" };
    // Names of headers have no case.
    const others = {
      Authorization: "Basic b",
      "Content-Type": "text/plain",
      "Idempotency-Key": "k-2",
    };
    for (const each of [headers, { ...headers, ...others }]) {
      await client.ioc.createIndicators(indicators, { headers: each, idempotencyKey: "k-1" });
      const sent = server.calls.at(-1)?.headers;
      expect(sent?.get("x-team")).toBe("blue");
      expect(sent?.get("idempotency-key")).toBe("k-1");
      expect(sent?.get("authorization")).toBe("Bearer token-1");
      expect(sent?.get("content-type")).toBe("application/json");
    }
  });
});

describe("limits", () => {
  test("space requests when little of the rate limit is left", async () => {
    const { client, server, clock } = start();
    const left = (remaining: number) => ({
      body: [],
      headers: { "x-ratelimit-limit": "600", "x-ratelimit-remaining": String(remaining) },
    });
    const callTimes = async (count: number, remaining: number) => {
      server.answer = () => left(remaining);
      for (let call = 0; call < count; call += 1) await client.ioc.listPlatforms();
    };
    await callTimes(3, 60);
    expect(clock.sleeps).toEqual([]);
    await callTimes(4, 59);
    expect(clock.sleeps).toEqual([100, 100]);
    // The first response with more left ends this.
    await callTimes(3, 60);
    expect(clock.sleeps).toEqual([100, 100, 100]);
  });

  test("give back the turn of a call that is aborted while it waits", async () => {
    const clock = new TestClock();
    const pace = new Pace(clock);
    pace.observe({ limit: 600, remaining: 10 });
    await pace.wait();
    const signal = AbortSignal.abort(new Error("enough"));
    for (let call = 0; call < 5; call += 1) {
      await expect(pace.wait(signal)).rejects.toBe(signal.reason);
    }
    await pace.wait();
    expect(clock.sleeps).toEqual([100]);
  });

  test("bound concurrent requests", async () => {
    const { client, server } = start({ concurrency: 2 });
    let concurrent = 0;
    let most = 0;
    server.answer = async () => {
      most = Math.max(most, (concurrent += 1));
      await new Promise((resolve) => setImmediate(resolve));
      concurrent -= 1;
      return { body: [] };
    };
    await Promise.all(Array.from({ length: 9 }, () => client.ioc.listPlatforms()));
    expect(most).toBe(2);
  });

  test("free a slot whose waiting calls were aborted, at once", async () => {
    const slots = new Slots(1);
    await slots.take();
    const waiting = new AbortController();
    const aborted = slots.take(waiting.signal);
    waiting.abort();
    await expect(aborted).rejects.toBe(waiting.signal.reason);
    slots.release();
    // A call that does not wait is not affected by an abort.
    const next = new AbortController();
    const taken = slots.take(next.signal);
    next.abort();
    expect(taken).toBeUndefined();
  });

  test("pass on a slot whose call is aborted when it gets it", async () => {
    const slots = new Slots(1);
    await slots.take();
    const controller = new AbortController();
    const aborted = slots.take(controller.signal);
    const next = slots.take();
    slots.release();
    controller.abort();
    await expect(aborted).rejects.toBe(controller.signal.reason);
    await expect(next).resolves.toBeUndefined();
  });

  test("free the slot of a call whose signal is of another kind", async () => {
    const { client } = start({ concurrency: 1 });
    // For example that of a polyfill.
    const target = new EventTarget();
    const signal = Object.assign(target, { aborted: false, throwIfAborted() {} }) as AbortSignal;
    expect(await failure(client.ioc.listPlatforms({}, { signal }))).toBeInstanceOf(TypeError);
    expect((await client.ioc.listPlatforms()).data).toEqual([]);
  });

  test("let an aborted call leave the queue", async () => {
    const { client, server } = start({ concurrency: 1 });
    await client.ioc.listPlatforms();
    const answered = Promise.withResolvers<void>();
    server.answer = async () => {
      await answered.promise;
      return { body: [] };
    };
    const controller = new AbortController();
    const first = client.ioc.listPlatforms();
    const second = failure(client.ioc.listPlatforms({}, { signal: controller.signal }));
    const third = client.ioc.listPlatforms();
    await expect.poll(() => server.calls.length).toBe(2);
    controller.abort();
    expect(await second).toMatchObject({ name: "AbortError" });
    answered.resolve();
    await Promise.all([first, third]);
    expect(server.calls).toHaveLength(3);
  });
});

describe("hooks", () => {
  test("may be methods of a class, also with debug lines", async () => {
    const hooks = new CountingHooks({ traceparent: "00-1" });
    const { client, server } = startWith([], { hooks, debug: () => undefined });
    await client.ioc.listPlatforms();
    hooks.events.length = 0;
    const outcomes = [busy, envelope(400, "no")];
    server.answer = () => outcomes.shift() ?? { body: [] };
    await failure(client.ioc.listPlatforms());
    const attempt = ["request", "response", "end"];
    expect(hooks.events).toEqual([...attempt, "retry", ...attempt, "error"]);
    expect(server.calls[0]?.headers.get("traceparent")).toBe("00-1");
  });

  test("report requests, responses, retries and errors, without secrets", async () => {
    const events: [string, object][] = [];
    const lines: string[] = [];
    const { client, server } = startWith([busy, envelope(400, "no")], {
      debug: (line: string) => void lines.push(line),
      hooks: {
        onRequest: (event: object) => {
          events.push(["request", event]);
          return { traceparent: "00-1" };
        },
        onResponse: (event: object) => events.push(["response", event]),
        onEnd: (event: object) => events.push(["end", event]),
        onRetry: (event: object) => events.push(["retry", event]),
        onError: (event: object) => events.push(["error", event]),
      },
    });
    await failure(client.ioc.listPlatforms());
    const own = events.filter(
      ([, event]) => Reflect.get(event, "operationId") === "platform.query.v1",
    );
    expect(own.map(([name]) => name)).toEqual([
      "request",
      "response",
      "end",
      "retry",
      "request",
      "response",
      "end",
      "error",
    ]);
    expect(own[2]?.[1]).toMatchObject({ attempt: 1, status: 429, error: undefined });
    expect(own[3]?.[1]).toMatchObject({ attempt: 1, status: 429, waitMilliseconds: 125 });
    expect(own[6]?.[1]).toMatchObject({ attempt: 2, status: 400, error: { status: 400 } });
    expect(own[7]?.[1]).toMatchObject({ attempt: 2, error: { status: 400 } });
    for (const [, event] of own) {
      expect(event).toMatchObject({
        baseUrl: "https://api.test/prefix",
        path: "/iocs/queries/platforms/v1",
      });
    }
    expect(server.calls[0]?.headers.get("traceparent")).toBe("00-1");
    expect(lines).toContain(
      "secplat GET /iocs/queries/platforms/v1 (platform.query.v1) attempt 1: 429, retry in 125 ms",
    );
    expect(JSON.stringify(events) + lines.join()).not.toMatch(/token-1|s3cret/);
  });

  test("report the end of each request: with a rejected token, a lost response, or an abort", async () => {
    const ends: object[] = [];
    const errors: object[] = [];
    const controller = new AbortController();
    const { client, server } = start({
      hooks: {
        onEnd: (event) => void (event.operationId === "platform.query.v1" && ends.push(event)),
        onError: (event) => void errors.push(event),
      },
    });
    const outcomes = [
      () => envelope(401, "expired"),
      () => {
        throw reset;
      },
      () => {
        controller.abort(new Error("enough"));
        return { body: [] };
      },
    ];
    server.answer = () => outcomes[server.calls.length - 1]?.() ?? { body: [] };
    await failure(client.ioc.listPlatforms({}, { signal: controller.signal }));
    expect(ends).toMatchObject([
      { attempt: 1, status: 401, error: undefined },
      { attempt: 2, status: undefined, error: { name: "NetworkError", cause: reset } },
      { attempt: 3, status: undefined, error: { message: "enough" } },
    ]);
    expect(errors).toEqual([]);
  });

  test("report a call that got no token as failed", async () => {
    const errors: object[] = [];
    const { client, server } = start({ hooks: { onError: (event) => void errors.push(event) } });
    server.grant = () => envelope(401, "unknown client");
    const error = await failure(client.ioc.listPlatforms());
    expect(errors).toMatchObject([
      { operationId: "oauth2AccessToken", attempt: 1, error },
      { operationId: "platform.query.v1", attempt: 0, error },
    ]);
  });
});

describe("the response itself", () => {
  test("has any status and an unread body", async () => {
    const { client, server } = start();
    server.answer = () => envelope(404, "no");
    const response = await client.ioc.getIndicators.raw({ ids: ["a"] });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ errors: [{ code: 404 }] });
  });
});
