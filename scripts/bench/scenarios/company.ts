import { request } from "node:http";
import { join } from "node:path";
import { openTenant, indicator, start, type OpenTenant, type Platform } from "../platform.ts";
import type { Result } from "../measure.ts";
import { evenLoad, load, type EvenRate, type Rate } from "../load.ts";
import { newDatabase } from "../postgres.ts";
import type { BenchRun, Scenario } from "../scenario.ts";
import { exchange } from "./loop-turns.ts";

export const companyScenarios: readonly Scenario[] = [
  { name: "health beside long requests", run: healthBesideLongRequests },
  { name: "fairness between tenants", run: fairness },
];

/** Milliseconds that a health check on a new connection may wait. */
const longestWait = 250;
/** The p99 of a tenant beside a busy one, in times of its p99 alone. */
const mostRaise = 2;
const scopes = ["ioc-management:read", "ioc-management:write"];
const paths = {
  indicators: "/iocs/entities/indicators/v1",
  ids: "/iocs/queries/indicators/v1?limit=1",
  sdmf: "/iocs/sdmf/query/v1",
  inventories: "/image-assessment/entities/image-inventory/v1",
};

interface Long {
  readonly name: string;
  readonly count: number;
  readonly path: string;
  /** Different bodies, because equal indicators are refused. */
  readonly body: (number: number) => string;
}

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** Among the longest requests that the document allows. */
const longRequests: readonly Long[] = [
  { name: "60 joins of 5 million rows", count: 60, path: paths.sdmf, body: joinBody },
  { name: "20 creates of 2,000", count: 20, path: paths.indicators, body: createBody },
  { name: "20 bodies of 180,000 values", count: 20, path: paths.inventories, body: valuesBody },
];

function joinBody(): string {
  const node = (id: string, operator: object) => ({ id, res_id: id, operator });
  const nodes = [
    node("a", { type: "source", resource: "indicators" }),
    node("few", { type: "limit", input: "a", limit: 5_000 }),
    node("b", { type: "source", resource: "indicators" }),
    node("others", { type: "limit", input: "b", limit: 5_000 }),
    node("j", {
      type: "join",
      left: "few",
      right: "others",
      on: [{ left: "severity", right: "severity" }],
    }),
    node("g", {
      type: "group",
      input: "j",
      by: ["few.severity"],
      measures: [{ function: "count", as: "n" }],
    }),
  ];
  return JSON.stringify({ id: "q", nodes, res_id: "g" });
}

function createBody(number: number): string {
  const indicators = range(2_000).map((at) => indicator(at, `many-${number}`));
  return JSON.stringify({ indicators });
}

function valuesBody(): string {
  return JSON.stringify({
    inventory: {
      HashedFiles: range(30_000).map(() => ({ Hash: "x", Path: "y", Size: 1, LayerIndex: 0 })),
    },
  });
}

async function healthBesideLongRequests({ folder, scale }: BenchRun): Promise<readonly Result[]> {
  const {
    store,
    load: fillWith,
    ...filled
  } = await openTenant(`sqlite:${join(folder, "company.sqlite")}`, [
    ...scopes,
    "container-cli:write",
  ]);
  await fillWith(
    "indicators",
    range(100_000 * scale).map((at) => indicator(at)),
  );
  await store.close();
  const platform = await start(filled);
  const results: Result[] = [];
  try {
    for (const long of longRequests) results.push(await beside(platform, long));
  } finally {
    await platform.stop();
  }
  return results;
}

async function beside(platform: Platform, { name, count, path, body }: Long): Promise<Result> {
  const headers = { ...platform.headers, "content-type": "application/json" };
  const statuses = new Map<number, number>();
  // Built before, so that they do not delay the health checks of this process.
  const bodies = range(count).map((number) => Buffer.from(body(number)));
  const ended = new AbortController();
  const sent = Promise.all(
    bodies.map(async (bytes) => {
      const status = await exchange(platform.url + path, { method: "POST", headers }, bytes);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }),
  ).finally(() => ended.abort());
  const waits: number[] = [];
  const until = performance.now() + 10_000;
  while (!ended.signal.aborted && performance.now() < until)
    waits.push(await healthWait(platform.url));
  await sent;
  return {
    name: `wait of /healthz beside ${name}, ms`,
    figure: `the longest of ${waits.length}; answers: ${[...statuses].map(([status, times]) => `${times} × ${status}`).join(", ")}`,
    ratio: Math.max(...waits),
    target: longestWait,
    targetIs: "at most",
  };
}

/** Milliseconds of a health check on a new connection. */
function healthWait(url: string): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}/healthz`, { agent: false }, (response) => {
      response.resume().on("end", () => resolve(performance.now() - began));
    });
    outgoing.on("error", reject).end();
  });
}

async function fairness({ folder, scale, seconds }: BenchRun): Promise<readonly Result[]> {
  const databases = {
    SQLite: `sqlite:${join(folder, "fair.sqlite")}`,
    PostgreSQL: await newDatabase("fair"),
  };
  const results: Result[] = [];
  for (const [engine, url] of Object.entries(databases)) {
    results.push(...(await fairnessOn(engine, url, scale, seconds)));
  }
  return results;
}

/** Requests of the quiet tenant per second. */
const quietPerSecond = 20;
/** The busy tenant sends a hundred times as many. */
const busyPerSecond = 100 * quietPerSecond;

async function fairnessOn(
  engine: string,
  databaseUrl: string,
  scale: number,
  seconds: number,
): Promise<readonly Result[]> {
  const tenants: OpenTenant[] = [];
  while (tenants.length < 2) {
    const tenant = await openTenant(databaseUrl, scopes);
    await tenant.load(
      "indicators",
      range(20_000 * scale).map((at) => indicator(at)),
    );
    await tenant.store.close();
    tenants.push(tenant);
  }
  const [quiet, busy] = tenants as [OpenTenant, OpenTenant];
  const platform = await start(quiet);
  const busyHeaders = await headersOf(platform, busy);
  const [id] = (await (
    await fetch(platform.url + paths.ids, { headers: platform.headers })
  ).json()) as string[];
  const url = `${platform.url}${paths.indicators}?ids=${id}`;
  const [busyId] = (await (
    await fetch(platform.url + paths.ids, { headers: busyHeaders })
  ).json()) as string[];
  const busyUrl = `${platform.url}${paths.indicators}?ids=${busyId}`;
  const quietly = (length: number): Promise<EvenRate> =>
    evenLoad({ url, headers: platform.headers, seconds: length, perSecond: quietPerSecond });
  const busily = (length: number): Promise<EvenRate> =>
    evenLoad({
      url: busyUrl,
      headers: busyHeaders,
      seconds: length,
      perSecond: busyPerSecond,
      yields: true,
    });
  const length = 6 * seconds;
  try {
    // Otherwise the busy tenant would be compared with a server whose code is not compiled yet.
    await Promise.all([quietly(2 * seconds), busily(2 * seconds)]);
    const alone = await quietly(length);
    const measure = async (
      pace: string,
      begin: (length: number) => Promise<Pick<Rate, "perSecond">>,
    ): Promise<Result> => {
      const loading = begin(length + 2);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const both = await quietly(length);
      const { perSecond } = await loading;
      return {
        name: `p99 of a tenant beside a busy one / alone, ${pace}, ${engine}`,
        figure: `${both.p99.toFixed(2)} to ${alone.p99.toFixed(2)} ms; ${quietPerSecond} gets a second beside ${Math.round(perSecond)}`,
        ratio: both.p99 / alone.p99,
        target: mostRaise,
        targetIs: "at most",
      };
    };
    return [
      await measure("evenly", busily),
      // Each connection sends its requests of a second as fast as it can, and then waits.
      await measure("in bursts", (burstSeconds) =>
        load(platform.pid, {
          url: busyUrl,
          headers: busyHeaders,
          seconds: burstSeconds,
          connections: 100,
          rate: busyPerSecond,
          yields: true,
        }),
      ),
    ];
  } finally {
    await platform.stop();
  }
}

async function headersOf(
  { url }: Platform,
  { credentials }: OpenTenant,
): Promise<Readonly<Record<string, string>>> {
  const response = await fetch(`${url}/oauth2/token`, {
    method: "POST",
    body: new URLSearchParams({ client_id: credentials.id, client_secret: credentials.secret }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return { authorization: `Bearer ${access_token}` };
}
