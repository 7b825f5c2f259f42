import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { createClient, StorageFullError } from "@security-platform/client";
import { expect } from "vitest";
import { startPlatform } from "../src/index.ts";
import { test } from "../src/vitest.ts";
import { create, indicator, valuesOf } from "./support/indicators.ts";

test("keeps what its client creates, until a reset", async ({ platform }) => {
  await create(platform, "a.example");
  expect(await valuesOf(platform)).toEqual(["a.example"]);
  await platform.reset();
  expect(await valuesOf(platform)).toEqual([]);
});

test("starts each test in its initial state", async ({ platform }) => {
  expect(platform.requests.list()).toEqual([]);
  expect(await valuesOf(platform)).toEqual([]);
});

test("answers from the records after a reset, not from caches of those before", async ({
  platform,
}) => {
  for (const value of ["first.example", "second.example", "third.example"]) {
    await create(platform, value);
    for (const each of ["first.example", "second.example", "third.example"]) {
      const filter = `value:'${each}'`;
      const { data, page } = await platform.client.ioc.listIndicatorIds({ filter, offset: 0 });
      expect([each, data.length, page.total]).toEqual(each === value ? [each, 1, 1] : [each, 0, 0]);
    }
    await platform.reset();
  }
});

test("restores the words that full-text filters find", async ({ platform }) => {
  const find = async (words: string): Promise<number> => {
    const filter = `name:~'${words}'`;
    return (await platform.client.caseManagement.listCaseIds({ filter })).data.length;
  };
  const open = (name: string) =>
    platform.client.caseManagement.createCase({
      body: { name, severity: 50 },
    });
  await open("Lost laptop");
  const snapshot = await platform.snapshot();
  await open("Stolen badge");
  expect([await find("laptop"), await find("badge")]).toEqual([1, 1]);
  await platform.restore(snapshot);
  expect([await find("laptop"), await find("badge")]).toEqual([1, 0]);
  await open("Stolen phone");
  expect([await find("laptop"), await find("badge"), await find("stolen")]).toEqual([1, 0, 1]);
  await platform.reset();
  expect([await find("laptop"), await find("stolen")]).toEqual([0, 0]);
});

test("returns to any of several snapshots, in any order", async ({ platform }) => {
  const snapshots: number[] = [];
  for (const value of ["a.example", "b.example", "c.example"]) {
    await create(platform, value);
    snapshots.push(await platform.snapshot());
  }
  const [one = 0, two = 0, three = 0] = snapshots;
  for (const [snapshot, count] of [
    [one, 1],
    [three, 3],
    [two, 2],
    [three, 3],
    [one, 1],
  ] as const) {
    await platform.restore(snapshot);
    expect(await valuesOf(platform)).toEqual(
      ["a.example", "b.example", "c.example"].slice(0, count),
    );
  }
  await expect(platform.restore(99)).rejects.toThrow(
    /^there is no snapshot 99; there is (\d+, )*\d+$/,
  );
});

test("advances to an instant once, however many calls do so at the same time", async ({
  platform,
}) => {
  const { clock } = platform;
  const instant = new Date(clock.now().getTime() + 3_600_000);
  const both = await Promise.all([clock.advanceTo(instant), clock.advanceTo(instant)]);
  expect(both.map(({ now }) => now)).toEqual([instant, instant]);
  expect(clock.now()).toEqual(instant);
  const [later, earlier] = await Promise.allSettled([
    clock.advance("1 h"),
    clock.advanceTo(instant),
  ]);
  expect(later.status).toBe("fulfilled");
  expect(earlier).toMatchObject({ reason: expect.any(RangeError) as unknown });
});

test("advances its clock, and the platform's time with it", async ({ platform }) => {
  const { clock, client } = platform;
  const start = clock.now();
  const expiration = new Date(start.getTime() + 3_600_000).toISOString();
  const body = { indicators: [{ ...indicator("a.example"), expiration }] };
  await client.ioc.createIndicators({ body });
  const expired = async () =>
    (await client.ioc.listIndicatorIds({ filter: "expired:true" })).data.length;
  expect(await expired()).toBe(0);
  await clock.advance("59 min");
  expect([clock.now().getTime() - start.getTime(), await expired()]).toEqual([3_540_000, 0]);
  await clock.advance("1 min 1 s");
  expect(await expired()).toBe(1);
  await platform.reset();
  expect(clock.now()).toEqual(start);
});

test("runs background work by itself, and what is due later when the clock passes it", async ({
  platform,
}) => {
  const { client, clock, requests } = platform;
  const body = { resource: "images.vulnerabilities", format: "csv" } as const;
  const launched = await client.container.createExport({ body });
  const id = launched.data[0] ?? "";
  await client.container.waitForExport(id);
  const download = () => client.container.downloadExport({ id });
  expect((await download()).response.status).toBe(200);
  const { jobs } = await clock.advance("30 d");
  expect(jobs).toBeGreaterThan(0);
  await expect(download()).rejects.toThrow(/not found|expired|deleted/);
  expect(requests.list({ operation_id: "LaunchExportJob" })).toHaveLength(1);
});

test.each([
  ["3 parsecs", "unknown unit parsecs"],
  ["3 hour5", "expected a text such as"],
  ["3 huors", "did you mean hours?"],
  ["soon", "expected a text such as 90 s"],
  [-1, "expected 0 to 100 years"],
  [Number.NaN, "expected 0 to 100 years"],
  ["3 parsecs", "unknown unit parsecs. Expected ms"],
  [null as never, 'expected a text such as 90 s, 3 h or 1 d 12 h, got "null"'],
])("refuses to advance by %s", async (duration, message) => {
  await using platform = await startPlatform();
  await expect(platform.clock.advance(duration)).rejects.toThrow(message);
});

test("records requests without their secrets", async ({ platform }) => {
  const id = await create(platform, "a.example");
  await platform.client.ioc.getIndicators({ ids: [id] });
  const [token, creation, read] = platform.requests.list();
  expect(token).toMatchObject({
    method: "POST",
    path: "/oauth2/token",
    operation_id: "oauth2AccessToken",
    status: 201,
    fault: null,
  });
  expect(JSON.stringify(platform.requests.list())).not.toContain(platform.credentials.clientSecret);
  expect(JSON.stringify(token)).toContain('"access_token":"(hidden)"');
  expect(creation).toMatchObject({
    number: 2,
    operation_id: "indicator.create.v1",
    headers: { authorization: "(hidden)", "content-type": "application/json" },
    body: { indicators: [{ value: "a.example" }] },
    status: 201,
    response: [{ id, value: "a.example" }],
  });
  expect(read).toMatchObject({ method: "GET", query: { ids: id }, status: 200 });
});

test("records requests that belong to no operation or are refused", async ({ platform }) => {
  await platform.fetch("/nowhere?a=1&a=2");
  await platform.fetch("/iocs/queries/indicators/v1");
  expect(platform.requests.list()).toMatchObject([
    { path: "/nowhere", query: { a: ["1", "2"] }, operation_id: null, status: 404 },
    { operation_id: "indicator.search.v1", status: 401 },
  ]);
});

test("forgets the oldest requests before their bodies fill the memory", async ({ platform }) => {
  const { access_token: token } = (await (
    await platform.fetch("/oauth2/token", {
      method: "POST",
      body: new URLSearchParams({
        client_id: platform.credentials.clientId,
        client_secret: platform.credentials.clientSecret,
      }),
    })
  ).json()) as { readonly access_token: string };
  const body = JSON.stringify({ indicators: [], comment: "x".repeat(9 * 1024 * 1024) });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const path = "/iocs/entities/indicators/v1";
  for (let sent = 0; sent < 9; sent += 1) {
    await platform.fetch(path, { method: "POST", headers, body });
  }
  const numbers = platform.requests.list().map(({ number }) => number);
  // 64 MiB have room for seven of them.
  expect(numbers).toEqual([4, 5, 6, 7, 8, 9, 10]);
});

test("waits for requests", async ({ platform }) => {
  const waiting = platform.requests.waitFor({ operation_id: "indicator.create.v1" }, { count: 2 });
  await create(platform, "a.example");
  await create(platform, "b.example");
  expect(await waiting).toHaveLength(2);
  const aborted = AbortSignal.abort(new Error("enough"));
  await expect(platform.requests.waitFor({ status: 599 }, { signal: aborted })).rejects.toThrow(
    "enough",
  );
});

test("waits for many requests with one signal, which gets one listener", async ({ platform }) => {
  const { requests } = platform;
  const ending = new AbortController();
  const { signal } = ending;
  const waiting = Array.from({ length: 40 }, () => requests.waitFor({ status: 599 }, { signal }));
  // Node.js 20 warns of a leak from the eleventh on.
  expect(getEventListeners(signal, "abort").length).toBeLessThan(2);
  const settled = Promise.allSettled(waiting);
  ending.abort(new Error("enough"));
  for (const each of await settled) {
    expect(each).toMatchObject({ status: "rejected", reason: { message: "enough" } });
  }
});

test("limits the storage of a tenant, and counts anew after a reset", async () => {
  await using small = await startPlatform({ limits: { tenantStorageBytes: 1 } });
  const refusal: unknown = await create(small, "a.example").catch((error: unknown) => error);
  // A new tenant has records of the catalogue.
  const [, used] = /(\d+) of 1 bytes are used/.exec(String(refusal)) ?? [];
  const limits = { tenantStorageBytes: Number(used) + 3_000 };
  await using platform = await startPlatform({ limits });
  await using whole = await startPlatform({ limits: { storageBytes: 1 } });
  await expect(create(whole, "a.example")).rejects.toThrow("the server's storage is full");
  const fillStorage = async (): Promise<number> => {
    for (let count = 0; ; count += 1) {
      try {
        await create(platform, `n${count}.example`);
      } catch (error) {
        expect(error).toBeInstanceOf(StorageFullError);
        return count;
      }
    }
  };
  const count = await fillStorage();
  expect(count).toBeGreaterThan(1);
  expect(count).toBeLessThan(10);
  await platform.reset();
  expect(await fillStorage()).toBe(count);
});

test("refuses filters of requests that can find nothing", async ({ platform }) => {
  const { requests } = platform;
  expect(() => requests.list({ operationid: "x" } as never)).toThrow(
    "filter: operationid: unknown field; did you mean operation_id?",
  );
  await expect(requests.waitFor({ operation_id: "indicator.create.v2" })).rejects.toThrow(
    "filter: operation_id: no such operation; did you mean indicator.create.v1?",
  );
  for (const count of [Number.NaN, "2" as never, -1]) {
    await expect(requests.waitFor({}, { count })).rejects.toThrow(
      `count: expected a whole number from 0, got ${count}`,
    );
  }
});

test("a method that HTTP does not have is the caller's mistake", async ({ platform }) => {
  const response = await platform.fetch("/healthz", { method: "BREW" });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain("the method is unknown, or not in capitals");
});

test("resets while requests run: each belongs to one side", async ({ platform }) => {
  const values = Array.from({ length: 30 }, (_, number) => `n${number}.example`);
  const creations = values.map((value) => create(platform, value));
  await setImmediate();
  const reset = platform.reset();
  const outcomes = await Promise.allSettled(creations);
  await reset;
  const created = outcomes.filter(({ status }) => status === "fulfilled").length;
  expect(created).toBe(values.length);
  const kept = await valuesOf(platform);
  expect(kept.length).toBeLessThan(values.length + 1);
  await platform.reset();
  expect(await valuesOf(platform)).toEqual([]);
});

test("ends the delays of faults when it is reset", async ({ platform }) => {
  platform.faults.add({ operation_id: "severity.query.v1", delay_ms: 3_600_000 });
  const delayed = platform.client.ioc.listSeverities();
  await platform.requests.waitFor({ operation_id: "oauth2AccessToken" });
  while (platform.requests.list({ operation_id: "severity.query.v1" }).length === 0) {
    await setImmediate();
  }
  await platform.reset();
  expect((await delayed).data.length).toBeGreaterThan(0);
});

test("several platforms do not disturb each other", async () => {
  await using one = await startPlatform({ now: "2026-03-01T12:00:00Z" });
  await using two = await startPlatform({ now: "2030-01-01T00:00:00Z", compat: true });
  await Promise.all([create(one, "one.example"), create(two, "two.example")]);
  await one.clock.advance("2 d");
  expect(await valuesOf(one)).toEqual(["one.example"]);
  expect(await valuesOf(two)).toEqual(["two.example"]);
  expect(two.clock.now().toISOString()).toBe("2030-01-01T00:00:00.000Z");
  await two.reset();
  expect(await valuesOf(one)).toEqual(["one.example"]);
  expect([one.requests.list().length > 0, two.requests.list().length]).toEqual([true, 0]);
});

test("a platform that starts after another has stopped shows nothing of it", async () => {
  const first = await startPlatform({ now: "2026-03-01T12:00:00Z" });
  await create(first, "one.example");
  const snapshot = await first.snapshot();
  await first.seed.tenant("Other");
  await first.stop();
  await first.stop();
  await using second = await startPlatform({ now: "2026-04-01T12:00:00Z" });
  expect(await valuesOf(second)).toEqual([]);
  expect(second.clock.now().toISOString()).toBe("2026-04-01T12:00:00.000Z");
  await expect(second.restore(snapshot)).rejects.toThrow("there is none");
});

test("a stopped platform refuses all work, and leaves the next one alone", async () => {
  const stopped = await startPlatform();
  const { client } = stopped;
  await create(stopped, "one.example");
  await stopped.stop();
  await using next = await startPlatform();
  const works: readonly (() => Promise<unknown>)[] = [
    () => client.ioc.listIndicators(),
    () => stopped.fetch("/healthz"),
    () => stopped.clock.advance("1 h"),
    () => stopped.seed.indicators(1),
    () => stopped.seed.world("small"),
    () => stopped.seed.tenant("Other"),
    () => stopped.clientOf(stopped.cid),
    () => stopped.runJobs(),
    () => stopped.snapshot(),
    () => stopped.reset(),
  ];
  for (const work of works) await expect(work()).rejects.toThrow("this platform is stopped");
  const changes: readonly (() => unknown)[] = [
    () => stopped.faults.add({ status: 500, times: "always" }),
    () => stopped.faults.clear(),
    () => stopped.requests.clear(),
  ];
  for (const change of changes) expect(change).toThrow("this platform is stopped");
  expect(next.requests.list()).toEqual([]);
  expect(await valuesOf(next)).toEqual([]);
});

test("serves clients over HTTP, with the same state", async ({ platform }) => {
  const client = createClient({ ...platform.credentials });
  await client.ioc.createIndicators({ body: { indicators: [indicator("http.example")] } });
  expect(await valuesOf(platform)).toEqual(["http.example"]);
  await client.close();
});

test("refuses options that it does not know", async () => {
  await expect(startPlatform({ prot: 1 } as never)).rejects.toThrow(
    "startPlatform: unknown option prot; did you mean port? Expected now, port,",
  );
  await expect(startPlatform({ verbose: 1 } as never)).rejects.toThrow(
    "startPlatform: unknown option verbose. Expected now, port,",
  );
  await expect(startPlatform({ port: -1 })).rejects.toThrow("port: expected an integer");
  await expect(startPlatform({ now: "tomorrow" })).rejects.toThrow("got tomorrow");
  await expect(startPlatform({ limits: { requestPerMinute: 1 } as never })).rejects.toThrow(
    "did you mean requestsPerMinute?",
  );
});

test.each<[object, string]>([
  [{ now: "2026-02-30" }, "now: expected an instant such as 2026-03-01T12:00:00Z, got 2026-02-30"],
  [{ now: "March 7" }, "now: expected an instant"],
  [{ now: null }, "now: expected an instant"],
  [{ now: 5 }, "now: expected an instant"],
  [{ compat: "no" }, "compat: expected true or false, got no"],
  [{ limits: 5 }, "limits: expected an object, got 5"],
  [{ limits: { bodyBytes: 0 } }, "limits.bodyBytes: expected a whole number from 1, got 0"],
  [{ limits: { requestsPerMinute: "9" } }, "limits.requestsPerMinute: expected a whole number"],
  [{ limits: { tokenSeconds: -1 } }, "limits.tokenSeconds: expected a whole number from 0, got -1"],
])("refuses %j", async (options, message) => {
  await expect(startPlatform(options)).rejects.toThrow(message);
});

test("takes the default of a limit that is undefined", async () => {
  await using platform = await startPlatform({ limits: { bodyBytes: undefined } as object });
  expect((await platform.fetch("/healthz")).status).toBe(200);
});

test("seeds records that no operation creates, and worlds", async ({ platform }) => {
  await platform.seed.records("hosts", [
    { device_id: "ab".repeat(16), hostname: "build-1", platform_name: "Linux" },
  ]);
  const { data } = await platform.client.companion.listHostIds({ filter: "hostname:'build-1'" });
  expect(data).toHaveLength(1);
  await expect(platform.seed.records("hosts", [{ hostname: 7 } as never])).rejects.toThrow(
    "hosts[0]: ",
  );
  await expect(platform.seed.records("host" as never, [])).rejects.toThrow("did you mean hosts?");
  await expect(platform.seed.hosts("3" as never)).rejects.toThrow(
    "hosts: expected a list of records or an integer from 0 to 100000, got 3",
  );
  await expect(platform.seed.tenant(null as never)).rejects.toThrow("name: expected a text");
  await expect(platform.seed.world("demo" as never)).rejects.toThrow(
    "unknown world demo. Expected small",
  );
  await expect(platform.seed.world("small", 1.5)).rejects.toThrow(
    "seed: expected a whole number from 0, got 1.5",
  );
  const world = await platform.seed.world("small");
  const { page } = await world.client.ioc.listIndicatorIds({ offset: 0 });
  expect(page.total).toBeGreaterThan(100);
  await platform.reset();
  await expect(platform.clientOf(world.cid)).rejects.toThrow("there is no tenant");
});
