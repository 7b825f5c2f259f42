import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { mixedLoad, type MixedLoad, type MixedTimes, type RequestKind } from "../load.ts";
import { residentMegabytes, type Result } from "../measure.ts";
import { indicator, openTenant, start, type Platform } from "../platform.ts";
import { newDatabase } from "../postgres.ts";
import type { BenchRun, Scenario } from "../scenario.ts";

export const mixedScenarios: readonly Scenario[] = [
  { name: "mixed load on SQLite", run: (bench) => mixed(bench, "SQLite") },
  { name: "mixed load on PostgreSQL", run: (bench) => mixed(bench, "PostgreSQL") },
];

const scopes = ["ioc-management:read", "ioc-management:write", "cases:read", "cases:write"];
const indicatorsPath = "/iocs/entities/indicators/v1";

/** Of the measured maximum. */
const loadShare = 0.8;
/** A kind's p99 in times of its p50. */
const mostTail = 10;
/** What the server may need at the end in times of the end of the first minute. */
const mostGrowth = 1.2;

async function mixed(bench: BenchRun, engine: string): Promise<readonly Result[]> {
  const { folder, scale, seconds } = bench;
  const databaseUrl =
    engine === "SQLite" ? `sqlite:${join(folder, "mixed.sqlite")}` : await newDatabase("mixed");
  const tenant = await openTenant(databaseUrl, scopes);
  await tenant.load(
    "indicators",
    range(100_000 * scale).map((at) => indicator(at)),
  );
  await tenant.load("cases", range(10_000 * scale).map(caseOf));
  await tenant.store.close();
  const platform = await start(tenant);
  try {
    const { url, headers } = platform;
    const load = { url, headers, connections: 64, kinds: await kindsOf(platform) };
    // The code is compiled, and the caches are filled, before the maximum is measured.
    await mixedLoad({ ...load, seconds });
    const maximum = countOf(await mixedLoad({ ...load, seconds: 3 * seconds })) / (3 * seconds);
    const perSecond = Math.floor(maximum * loadShare);
    return await measured(
      platform,
      engine,
      // Requests wait for the server, and not for each other's connections.
      { ...load, perSecond, seconds: 100 * seconds, connections: 2_000 },
      maximum,
    );
  } finally {
    await platform.stop();
  }
}

async function measured(
  { pid }: Platform,
  engine: string,
  load: MixedLoad & { readonly perSecond: number },
  maximum: number,
): Promise<readonly Result[]> {
  const warm = load.seconds / 10;
  const early: number[] = [];
  const timer = setTimeout(() => early.push(residentMegabytes(pid)), warm * 1_000);
  const { times, failures } = await mixedLoad(load);
  clearTimeout(timer);
  const late = residentMegabytes(pid);
  const rate = `${load.perSecond}/s of at most ${Math.round(maximum)}, ${load.seconds} s`;
  const failed = Object.entries(failures).map(([what, count]) => `${count} × ${what}`);
  const last = load.seconds - warm;
  return [
    ...Object.entries(times).map(([name, all]) => {
      const sorted = all.map(([, milliseconds]) => milliseconds).toSorted((a, b) => a - b);
      const [p50, p99, most] = [0.5, 0.99, 1].map((share) => quantile(sorted, share));
      const ends = [
        all.filter(([second]) => second > warm && second < 2 * warm),
        all.filter(([second]) => second > last),
      ].map((part) =>
        quantile(
          part.map(([, each]) => each).toSorted((a, b) => a - b),
          0.99,
        ),
      );
      const [longest] = all.toSorted(([, left], [, right]) => right - left);
      return {
        name: `${name}: p99 / p50 under mixed load, ${engine}`,
        figure: `${shown(p99)} to ${shown(p50)} ms; the longest ${shown(most)} ms, due at ${shown(longest?.[0])} s`,
        ratio: (p99 ?? Number.NaN) / (p50 ?? Number.NaN),
        target: mostTail,
        targetIs: "at most" as const,
        note: `p99 of the second tenth of the time ${shown(ends[0])} ms, of the last ${shown(ends[1])} ms; ${rate}`,
      };
    }),
    {
      name: `failed requests under mixed load, ${engine}`,
      figure: failed.length === 0 ? rate : failed.join(", "),
      ratio: Object.values(failures).reduce((sum, count) => sum + count, 0),
      target: 0,
      targetIs: "at most",
    },
    {
      name: `memory at the end of mixed load / after a tenth, ${engine}`,
      figure: `${Math.round(late)} to ${Math.round(early[0] ?? Number.NaN)} MB`,
      ratio: late / (early[0] ?? Number.NaN),
      target: mostGrowth,
      targetIs: "at most",
    },
  ];
}

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;

const shown = (value: number | undefined): string => (value ?? Number.NaN).toFixed(1);

const countOf = ({ times }: MixedTimes): number =>
  Object.values(times).reduce((sum, each) => sum + each.length, 0);

const subjects = ["Phishing", "Ransomware", "Lateral movement", "Stolen credentials", "Beacon"];

const caseOf = (number: number): object => ({
  id: randomUUID(),
  name: `${subjects[number % 5]} on host ${number}`,
  description: `Seen ${number % 13} times in department ${number % 31}. ${"Notes. ".repeat(20)}`,
  severity: 20 + (number % 70),
});

/** Gets, lists, filters, creates, updates and searches in the shares of a platform that reads more than it writes. */
async function kindsOf({ url, headers }: Platform): Promise<readonly RequestKind[]> {
  const response = await fetch(`${url}/iocs/queries/indicators/v1?limit=500`, { headers });
  const ids = (await response.json()) as readonly string[];
  const get = (path: string) => ({ method: "GET", path });
  const filtered = (filter: string) =>
    get(`/iocs/combined/indicator/v1?limit=50&filter=${encodeURIComponent(filter)}`);
  return [
    { name: "get", share: 70, requests: ids.map((id) => get(`${indicatorsPath}?ids=${id}`)) },
    {
      name: "list",
      share: 10,
      requests: ["modified_on.desc", "value.asc", "created_on.asc"].map((sort) =>
        get(`/iocs/combined/indicator/v1?limit=100&sort=${sort}`),
      ),
    },
    {
      name: "filter",
      share: 5,
      requests: range(20).map((at) =>
        filtered(`source:'feed-${at}'+type:'domain'+tags:'campaign-${at}'`),
      ),
    },
    {
      name: "create",
      share: 10,
      requests: [
        {
          method: "POST",
          path: indicatorsPath,
          body: JSON.stringify({
            indicators: [{ ...indicator(0), value: "created-{number}.bench.example" }],
          }),
        },
      ],
    },
    {
      name: "update",
      share: 3,
      requests: ids.map((id) => ({
        method: "PATCH",
        path: indicatorsPath,
        body: JSON.stringify({ indicators: [{ id, description: "Changed by {number}" }] }),
      })),
    },
    {
      name: "search of cases",
      share: 2,
      requests: subjects.map((subject, at) =>
        get(`/cases/queries/cases/v1?limit=20&q=${encodeURIComponent(`${subject} ${at}`)}`),
      ),
    },
  ];
}
