import { request } from "node:http";
import { join } from "node:path";
import { operations, type Operation } from "@security-platform/spec";
import { worstRequests, type WorstRequest } from "../../../testing/worst-requests/index.ts";
import type { BenchRun, Scenario } from "../scenario.ts";
import { longestTurn, probed, type Probe } from "../loop-probe-client.ts";
import type { LongestTurn } from "../loop-probe.ts";
import type { Result } from "../measure.ts";
import { indicator, openTenant, start, type Platform } from "../platform.ts";

export const turnScenarios: readonly Scenario[] = [{ name: "turns", run: turns }];

/** Milliseconds for which one request may keep others waiting. */
const goal = 100;
/** Number of operations with lines of their own. */
const listed = 10;

interface Measured extends LongestTurn {
  readonly operation: string;
  readonly name: string;
  readonly status: number;
}

/** Sends the worst requests of every operation to a server with many records. */
async function turns({ folder, scale }: BenchRun): Promise<readonly Result[]> {
  const scopes = [...new Set(operations().flatMap(({ scope }) => scope ?? []))];
  const { store, load, ...filled } = await openTenant(
    `sqlite:${join(folder, "turns.sqlite")}`,
    scopes,
  );
  await load(
    "indicators",
    Array.from({ length: 100_000 * scale }, (_, at) => indicator(at)),
  );
  await load(
    "hosts",
    Array.from({ length: 20_000 * scale }, (_, at) => host(at)),
  );
  await store.close();
  const probe = probed(folder);
  const platform = await start(filled, {
    flags: probe.flags,
    words: ["--overload-delay=0", "--no-jobs"],
  });
  const worst: Measured[] = [];
  try {
    for (const operation of operations()) {
      worst.push(await measure(platform, probe, operation, scale < 1));
    }
  } finally {
    await platform.stop();
  }
  worst.sort((left, right) => right.processor - left.processor);
  return worst.slice(0, listed).map(({ operation, name, processor, elapsed, status }) => ({
    name: `longest turn of ${operation}, ms`,
    figure: `${name}: ${status}`,
    ratio: processor,
    target: goal,
    targetIs: "at most",
    note: `processor time; ${elapsed.toFixed(0)} ms elapsed`,
  }));
}

const host = (number: number): object => ({
  device_id: number.toString(16).padStart(32, "a"),
  hostname: `host-${number}`,
  platform_name: (["Windows", "Linux", "Mac"] as const)[number % 3],
  last_seen: "2026-03-01T10:00:00Z",
});

/** Compile the schemas, for bodies of a few values and of many. */
const firstBodies = [
  "{}",
  JSON.stringify({ many: Array.from({ length: 10_000 }, () => 0) }),
] as const;

/** The longest turn of an operation's worst request. */
async function measure(
  platform: Platform,
  probe: Probe,
  operation: Operation,
  largest: boolean,
): Promise<Measured> {
  let worst: Measured = { operation: operation.id, name: "", status: 0, processor: 0, elapsed: 0 };
  let isFirst = true;
  for (const each of worstRequests(operation, { largest })) {
    for (const body of isFirst ? firstBodies : []) await send(platform, { ...each, body });
    isFirst = false;
    await longestTurn(probe);
    const status = await send(platform, each);
    const measured = await longestTurn(probe);
    if (measured.processor <= worst.processor) continue;
    worst = { operation: operation.id, name: each.name, status, ...measured };
  }
  return worst;
}

const send = (
  { url, headers }: Platform,
  { method, address, mediaType, body }: WorstRequest,
): Promise<number> =>
  exchange(
    url + address,
    {
      method,
      headers: { ...headers, ...(mediaType === null ? {} : { "content-type": mediaType }) },
    },
    mediaType === null ? undefined : body,
  );

/** Returns the status. */
export function exchange(
  url: string,
  options: Parameters<typeof request>[1] & object,
  body?: string | Uint8Array,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode ?? 0));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
