import { Agent, request } from "node:http";
import { join } from "node:path";
import type { Scenario, BenchRun } from "../scenario.ts";
import type { Result } from "../measure.ts";
import { fill, indicator, start, type Platform } from "../platform.ts";
import { newDatabase } from "../postgres.ts";

export const connectionScenarios: readonly Scenario[] = [
  {
    name: "connections",
    run: (run) => newConnections(run, "SQLite", `sqlite:${join(run.folder, "connections.sqlite")}`),
  },
  {
    name: "connections on PostgreSQL",
    run: async (run) => newConnections(run, "PostgreSQL", await newDatabase("connections")),
  },
];

const writers = 16;

/** Reads on new connections beside writers that also open one for each request. */
async function newConnections(
  { scale, seconds }: BenchRun,
  engine: "SQLite" | "PostgreSQL",
  url: string,
): Promise<readonly Result[]> {
  const database = await fill(url, 10_000 * scale);
  const platform = await start(database);
  const until = performance.now() + seconds * 1_000;
  const writing = Array.from({ length: writers }, () => writeUntil(platform, until));
  const keepAlive = new Agent({ keepAlive: true, maxSockets: 1 });
  const established: number[] = [];
  const fresh: number[] = [];
  while (performance.now() < until) {
    established.push(await send(platform, keepAlive, "GET", "/iocs/queries/platforms/v1"));
    fresh.push(await send(platform, false, "GET", "/iocs/queries/platforms/v1"));
  }
  await Promise.all(writing);
  keepAlive.destroy();
  await platform.stop();
  const [slow, usual] = [percentile(fresh), percentile(established)];
  return [
    {
      name: `p95 of a read on a new connection / on an established one, beside 16 writers, ${engine}`,
      figure: `${Math.round(slow)} to ${Math.round(usual)} ms`,
      ratio: slow / usual,
      target: 5,
      targetIs: "at most",
    },
  ];
}

let written = 0;

async function writeUntil(platform: Platform, until: number): Promise<void> {
  while (performance.now() < until) {
    const body = JSON.stringify({ indicators: [indicator((written += 1), "connections")] });
    await send(platform, false, "POST", "/iocs/entities/indicators/v1", body);
  }
}

/** Milliseconds until the response has arrived in full. */
function send(
  { url, headers }: Platform,
  agent: Agent | false,
  method: string,
  path: string,
  body = "",
): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(url + path, { agent, method, headers: { ...headers } }, (response) => {
      response.resume().once("end", () => resolve(performance.now() - began));
    });
    if (body !== "") outgoing.setHeader("content-type", "application/json");
    outgoing.once("error", reject).end(body);
  });
}

const percentile = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length * 0.95)] ?? Number.NaN;
