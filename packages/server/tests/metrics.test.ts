import { once } from "node:events";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { operations } from "@security-platform/spec";
import { expect, onTestFinished, test, vi } from "vitest";
import { testWith } from "../../../testing/platform.ts";
import { durationBounds, Meters } from "../src/foundation/meters.ts";
import { joinMetrics, serveMetrics, type ProcessMetrics } from "../src/internal.ts";
import { serverMetrics } from "../src/host/metrics/server-metrics.ts";
import { PermanentJobError, type JobKind } from "../src/jobs/job-kind.ts";
import { startTestApi, type TestApi } from "./support/api.ts";
import { forEachEngine } from "./support/engines.ts";
import { enqueue, noting, workerOf } from "./support/jobs.ts";
import { ManualClock, minutes } from "./support/manual-clock.ts";
import { readMetrics, valueOf, type Sample } from "./support/metrics-text.ts";
import { newStore, now } from "./support/store.ts";

const requests = "secplat_http_requests_total";
const durations = "secplat_http_request_duration_seconds";

const samplesOf = async (api: Pick<TestApi, "metrics">): Promise<readonly Sample[]> =>
  readMetrics(await api.metrics());

/** Of a server that can run all jobs. */
const others = { blobs: { async *list() {} } as never, version: "1", runs: () => true };

forEachEngine((engine) => {
  test("requests are counted by operation and class of status, never by anything of a tenant or a caller", async () => {
    const api = await startTestApi({ databaseUrl: await engine.url(), metrics: true });
    const missing = "0".repeat(64);
    await api.request("GET", "/iocs/queries/indicators/v1", { query: { filter: "secret:" } });
    await api.request("GET", "/iocs/entities/indicators/v1", { query: { ids: missing } });
    await api.request("GET", "/iocs/queries/indicators/v1");
    await api.request("GET", "/iocs/queries/indicators/v1", { token: null });
    await api.request("GET", "/a/secret/path");
    await fetch(`${api.url}/healthz`);
    const text = await api.metrics();
    const samples = readMetrics(text);
    const operation = operations().find(
      ({ path, method }) => path === "/iocs/queries/indicators/v1" && method === "get",
    );
    const { id = "" } = operation ?? {};
    expect(valueOf(samples, requests, { operation: id, status: "4xx" })).toBe(2);
    expect(valueOf(samples, requests, { operation: id, status: "2xx" })).toBe(1);
    expect(valueOf(samples, requests, { operation: "other", status: "4xx" })).toBe(1);
    expect(valueOf(samples, requests, { operation: "other", status: "2xx" })).toBe(1);
    expect(valueOf(samples, `${durations}_count`, { operation: id })).toBe(3);
    expect(valueOf(samples, `${durations}_bucket`, { operation: id, le: "+Inf" })).toBe(3);
    for (const hidden of [api.tenant.cid, api.client.client_id, missing, "secret", "127.0.0.1"]) {
      expect(text).not.toContain(hidden);
    }
    const known = new Set([...operations().map((each) => each.id), "other"]);
    const named = samples.flatMap(({ labels }) => labels["operation"] ?? []);
    expect(named.filter((each) => !known.has(each))).toEqual([]);
  });

  test("the database, its size, the files and the build are described", async () => {
    const api = await startTestApi({ databaseUrl: await engine.url(), metrics: true });
    await api.blobs.put(Readable.from([Buffer.from("12345")]));
    await expect.poll(async () => valueOf(await samplesOf(api), "secplat_files")).toBe(1);
    const samples = await samplesOf(api);
    expect(valueOf(samples, "secplat_files_bytes")).toBe(5);
    const { name } = engine;
    expect(valueOf(samples, "secplat_build_info", { version: "1.2.3", engine: name })).toBe(1);
    expect(valueOf(samples, "secplat_database_bytes")).toBeGreaterThan(100_000);
    for (const pool of ["read", "write"]) {
      expect(valueOf(samples, "secplat_database_waiting", { pool })).toBe(0);
      expect(
        valueOf(samples, "secplat_database_connections", { pool, state: "idle" }),
      ).toBeDefined();
    }
    expect(valueOf(samples, "process_start_time_seconds")).toBeGreaterThan(0);
    expect(valueOf(samples, "nodejs_eventloop_lag_seconds")).toBeDefined();
    expect(valueOf(samples, "secplat_event_loop_utilization")).toBeLessThanOrEqual(1);
  });

  test("jobs are counted by kind, state and outcome, with the age of the oldest", async () => {
    const { store, clock } = await newStore(engine);
    const meters = new Meters();
    const failing = (name: string, error: Error): JobKind => ({
      name,
      run: () => Promise.reject(error),
    });
    const kinds = [
      noting("works", [], () => null),
      failing("retries", new Error("later")),
      failing("dies", new PermanentJobError("never")),
    ];
    await enqueue(
      store,
      ...kinds.map(({ name: kind }) => ({ kind, now })),
      { kind: "waits", now },
      { kind: "comes", now, at: new Date(now.getTime() + minutes(60)) },
    );
    await workerOf({ store, clock }, kinds, { meters }).drain();
    clock.advance(1_000);
    const parts = {
      meters,
      store,
      clock,
      ...others,
      connections: async () => 0,
    };
    const samples = readMetrics(await serverMetrics(parts).text());
    const count = (kind: string, state: string) =>
      valueOf(samples, "secplat_jobs", { kind, state });
    expect(count("waits", "ready")).toBe(1);
    expect(count("comes", "scheduled")).toBe(1);
    expect(count("retries", "retrying")).toBe(1);
    expect(count("dies", "dead")).toBe(1);
    expect(count("works", "ready")).toBeUndefined();
    const attempts = (kind: string, outcome: string) =>
      valueOf(samples, "secplat_job_attempts_total", { kind, outcome });
    expect(attempts("works", "succeeded")).toBe(1);
    expect(attempts("retries", "failed")).toBe(1);
    expect(attempts("dies", "dead")).toBe(1);
    expect(valueOf(samples, "secplat_job_duration_seconds_count", { kind: "works" })).toBe(1);
    expect(valueOf(samples, "secplat_jobs_oldest_seconds", { state: "ready" })).toBe(1);
    expect(valueOf(samples, "secplat_jobs_oldest_seconds", { state: "running" })).toBe(0);
  });

  test("a mail is late only for servers with a mail server", async () => {
    const databaseUrl = await engine.url();
    const without = await startTestApi({ databaseUrl, metrics: true });
    const body = { uid: "kim@late.example" };
    await without.request("POST", "/user-management/entities/users/v1", { body });
    without.clock.advance(minutes(11));
    const mail = { url: "smtp://127.0.0.1:1", from: "platform@late.example" };
    const { clock } = without;
    const config = { mail };
    const beside = await startTestApi({ databaseUrl, metrics: true, clock, config });
    const oldest = async (api: Pick<TestApi, "metrics">) => {
      const samples = await samplesOf(api);
      const labels = { kind: "mails.deliver", state: "ready" };
      expect(valueOf(samples, "secplat_jobs", labels)).toBe(1);
      return valueOf(samples, "secplat_jobs_oldest_seconds", { state: "ready" });
    };
    expect(await oldest(without)).toBe(0);
    expect(await oldest(beside)).toBe(660);
  });
});

test("refusals by a limit are counted by the limit", async () => {
  const api = await startTestApi({
    databaseUrl: "sqlite::memory:",
    metrics: true,
    limits: { requestsPerMinute: 1, failedAuthenticationsPerMinute: 1, tokenRequestsPerMinute: 2 },
  });
  const list = (token?: string) =>
    api.request("GET", "/iocs/queries/platforms/v1", token === undefined ? {} : { token });
  expect([(await list()).status, (await list()).status]).toEqual([200, 429]);
  expect([(await list("a")).status, (await list("b")).status]).toEqual([401, 429]);
  const body = new URLSearchParams({ client_id: "x", client_secret: "y" });
  const ask = () => fetch(`${api.url}/oauth2/token`, { method: "POST", body });
  await ask();
  expect((await ask()).status).toBe(429);
  const samples = await samplesOf(api);
  const limited = (limit: string) => valueOf(samples, "secplat_requests_limited_total", { limit });
  expect([limited("requests"), limited("tokens")]).toEqual([1, 1]);
  expect(limited("failures")).toBeGreaterThan(0);
});

test("a server that measures nothing has no metrics", async () => {
  const api = await startTestApi({ databaseUrl: "sqlite::memory:" });
  expect(await api.metrics()).toBe("");
  expect((await fetch(`${api.url}/metrics`)).status).toBe(404);
});

test("what cannot be read is left out, and all else is there", async () => {
  const api = await startTestApi({ databaseUrl: "sqlite::memory:" });
  const away = () => Promise.reject(new Error("away"));
  const idle = { load: () => [], replica: () => null };
  const store = { ...api.store, ...idle, engine: "sqlite", jobs: { counts: away } };
  const parts = { meters: new Meters(), clock: api.clock, ...others };
  const samples = readMetrics(
    await serverMetrics({
      ...parts,
      store: { ...store, sizes: { database: away } } as never,
      connections: away,
    }).text(),
  );
  const names = samples.map(({ name }) => name);
  expect(names).not.toContain("secplat_jobs");
  expect(names).not.toContain("secplat_database_bytes");
  expect(names).not.toContain("secplat_http_connections");
  expect(names).toContain("secplat_build_info");
});

test("a value that does not come in time does not hold up the others", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const api = await startTestApi({ databaseUrl: "sqlite::memory:" });
  const parts = { meters: new Meters(), clock: api.clock, ...others };
  const connections = () => new Promise<number>(() => undefined);
  const text = serverMetrics({ ...parts, store: api.store, connections }).text();
  await vi.advanceTimersByTimeAsync(3_000);
  const names = readMetrics(await text).map(({ name }) => name);
  expect(names).not.toContain("secplat_http_connections");
  expect(names).toContain("secplat_database_bytes");
});

test("durations fall into the bucket whose bound they do not exceed", () => {
  const { durations: meter } = new Meters().operation("any");
  const milliseconds = [0, 1, 1.001, 10_000, 10_001, Infinity];
  for (const each of milliseconds) meter.observe(each);
  const counts = Object.fromEntries(
    [...durationBounds, "more"].map((le, at) => [le, meter.buckets[at]]),
  );
  expect(counts).toMatchObject({ "0.001": 2, "0.0025": 1, "10": 1, more: 2 });
});

test("the metrics of several processes become one: requests are added, the database is the same", async () => {
  const clock = new ManualClock();
  const api = await startTestApi({ databaseUrl: "sqlite::memory:", clock });
  const processOf = async (responses: number) => {
    const meters = new Meters();
    for (let each = 0; each < responses; each += 1) meters.operation("list").observe(200, 3);
    const parts = { meters, clock, ...others, connections: async () => 1 };
    const values = await serverMetrics({ ...parts, store: api.store }).values();
    return JSON.parse(JSON.stringify(values)) as ProcessMetrics;
  };
  const current = [await processOf(2), await processOf(3)];
  const samples = readMetrics(await joinMetrics({ workers: 2, current, former: [] }));
  expect(valueOf(samples, requests, { operation: "list", status: "2xx" })).toBe(5);
  expect(valueOf(samples, `${durations}_bucket`, { operation: "list", le: "0.005" })).toBe(5);
  expect(valueOf(samples, "secplat_http_connections")).toBe(2);
  expect(valueOf(samples, "secplat_build_info")).toBe(1);
  const [one] = [await api.store.sizes.database()];
  expect(valueOf(samples, "secplat_database_bytes")).toBe(one);
  const ofOne = readMetrics(
    await joinMetrics({ workers: 1, current: current.slice(1), former: [] }),
  );
  for (const name of ["process_max_fds", "process_start_time_seconds"]) {
    expect([name, valueOf(samples, name)]).toEqual([name, valueOf(ofOne, name)]);
  }
  expect(valueOf(samples, "secplat_workers")).toBe(2);
  expect(valueOf(samples, "secplat_workers_reporting")).toBe(2);
});

testWith("/proc")(
  "of several processes, the one with the highest ratio of open file descriptors counts",
  async () => {
    const api = await startTestApi({ databaseUrl: "sqlite::memory:" });
    const parts = { meters: new Meters(), clock: api.clock, ...others };
    const metrics = serverMetrics({ ...parts, store: api.store, connections: async () => 0 });
    const own = readMetrics(await metrics.text());
    const [open = 0, limit = 0, ratio = 0] = [
      "process_open_fds",
      "process_max_fds",
      "secplat_file_descriptors_ratio",
    ].map((name) => valueOf(own, name));
    expect(limit).toBeGreaterThan(open);
    expect(ratio).toBeCloseTo(open / limit, 2);
    const full = (await metrics.values()).map((metric) =>
      metric.name === "secplat_file_descriptors_ratio"
        ? { ...metric, values: [{ labels: {}, value: 1 }] }
        : metric,
    );
    const current = [await metrics.values(), full, await metrics.values()];
    const joined = readMetrics(await joinMetrics({ workers: 3, current, former: [] }));
    expect(valueOf(joined, "secplat_file_descriptors_ratio")).toBe(1);
  },
);

test("the counts of a server are those of its values, and need no database", async () => {
  const api = await startTestApi({ databaseUrl: "sqlite::memory:" });
  const meters = new Meters();
  meters.operation("list").observe(200, 3);
  const away = () => Promise.reject(new Error("away"));
  const replica = () => null;
  const store = {
    ...api.store,
    replica,
    jobs: { counts: away },
    sizes: { database: away },
  } as never;
  const parts = { meters, store, clock: api.clock, ...others };
  const metrics = serverMetrics({ ...parts, connections: away });
  const named = async (values: Promise<ProcessMetrics>) => (await values).map(({ name }) => name);
  const counts = await named(metrics.counts());
  expect(counts).toContain(requests);
  expect(counts).toContain(durations);
  expect(counts).toContain("process_cpu_seconds_total");
  const rest = (await metrics.values()).filter(({ name }) => !counts.includes(name));
  expect(new Set(rest.map(({ type }) => type))).toEqual(new Set(["gauge"]));
});

test("the page has the metrics and nothing else, and names the option for a port in use", async () => {
  const page = await serveMetrics({ host: "127.0.0.1", port: 0, text: async () => "up 1\n" });
  onTestFinished(() => page.close());
  const answer = await fetch(page.url);
  expect([answer.status, await answer.text()]).toEqual([200, "up 1\n"]);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const head = await fetch(`${page.url}?a=b`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect((await fetch(page.url, { method: "POST" })).status).toBe(405);
  expect((await fetch(new URL("/", page.url))).status).toBe(404);
  const { port } = new URL(page.url);
  await expect(
    serveMetrics({ host: "127.0.0.1", port: Number(port), text: async () => "" }),
  ).rejects.toThrow(`port ${port} on 127.0.0.1 is in use; choose another with --metrics-port`);
});

/** The status of a request that names a host. Null: it names none. */
const statusFor = (url: string, host: string | null): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const version = host === null ? "1.0" : "1.1";
    const named = host === null ? "" : `host: ${host}\r\n`;
    let answer = "";
    connect(Number(port), hostname)
      .on("data", (data) => (answer += data.toString()))
      .once("error", reject)
      .once("close", () => resolve(Number(answer.split(" ")[1])))
      .end(`GET /metrics HTTP/${version}\r\n${named}connection: close\r\n\r\n`);
  });

test.each([
  ["127.0.0.1", 200],
  ["127.0.0.1:9464", 200],
  ["localhost:9464", 200],
  ["LOCALHOST", 200],
  ["[::1]:9464", 200],
  ["rebound.example", 403],
  ["rebound.example:9464", 403],
  ["127.0.0.1.rebound.example", 403],
  ["localhost@rebound.example", 403],
  ["10.0.0.1", 403],
  [null, 403],
])("a page on a loopback address answers the host %s with %i", async (host, status) => {
  const page = await serveMetrics({ host: "127.0.0.1", port: 0, text: async () => "up 1\n" });
  onTestFinished(() => page.close());
  expect(await statusFor(page.url, host)).toBe(status);
});

test("a page that other machines can reach answers every host", async () => {
  const page = await serveMetrics({ host: "0.0.0.0", port: 0, text: async () => "up 1\n" });
  onTestFinished(() => page.close());
  const url = page.url.replace("0.0.0.0", "127.0.0.1");
  expect(await statusFor(url, "metrics.example")).toBe(200);
});

test("connections that send no whole request are closed, and let a scrape in", async () => {
  const options = { host: "127.0.0.1", port: 0, text: async () => "up 1\n" };
  const page = await serveMetrics({ ...options, silenceMilliseconds: 100 });
  onTestFinished(() => page.close());
  const { port } = new URL(page.url);
  const beginnings = [
    "",
    "GET /metrics HTTP/1.1\r\n",
    "POST /metrics HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n",
  ];
  await Promise.all(
    Array.from({ length: 64 }, async (_none, at) => {
      const socket = connect(Number(port), "127.0.0.1").on("error", () => undefined);
      socket.write(beginnings[at % beginnings.length] ?? "");
      await once(socket.resume(), "close");
    }),
  );
  expect((await fetch(page.url)).status).toBe(200);
});
