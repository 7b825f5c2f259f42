import { join } from "node:path";
import type { Scenario, BenchRun } from "../scenario.ts";
import { median, type Result } from "../measure.ts";
import { fill, start, type Platform } from "../platform.ts";
import { newDatabase } from "../postgres.ts";

const indicatorCount = 50_000;
const rounds = 9;

interface LargeFilter {
  readonly filter: string;
  readonly milliseconds: number;
}

/** The largest lists, and as many conditions as people write. */
const filters: Readonly<Record<string, LargeFilter>> = {
  "1,000 values": { filter: listed("value"), milliseconds: 50 },
  "1,000 values of an array": { filter: listed("tags"), milliseconds: 50 },
  "24 patterns": {
    filter: repeated(24, (at) => `value:*'*q${at}*'`),
    milliseconds: 500,
  },
  "24 mixed conditions": {
    filter: repeated(
      6,
      (at) => `(type:'domain'+value:*'*q${at}*'+source:'feed-${at}'+tags:'x${at}')`,
    ),
    milliseconds: 250,
  },
};

/** One condition with a list of 1,000 values. */
function listed(field: string): string {
  return `${field}:[${repeated(1_000, (at) => `'${at}'`)}]`;
}

function repeated(count: number, part: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => part(at)).join(",");
}

export const filterScenarios: readonly Scenario[] = [{ name: "large filters", run: largeFilters }];

/** First pages, with totals, of filters that match nothing, so that every record is compared. */
async function largeFilters({ folder, scale }: BenchRun): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const [engine, url] of [
    ["SQLite", `sqlite:${join(folder, "filters.sqlite")}`],
    ["PostgreSQL", await newDatabase("filters")],
  ] as const) {
    const platform = await start(await fill(url, indicatorCount * scale), {
      words: ["--overload-delay=0"],
    });
    for (const [name, { filter, milliseconds }] of Object.entries(filters)) {
      const times: number[] = [];
      for (let round = 0; round < rounds; round += 1) times.push(await timed(platform, filter));
      const ratio = median(times);
      results.push({
        name: `filter of ${name}, ${engine}, milliseconds`,
        figure: `${ratio.toFixed(1)} ms, ${indicatorCount * scale} indicators`,
        ratio,
        target: milliseconds,
        targetIs: "at most",
      });
    }
    await platform.stop();
  }
  return results;
}

async function timed({ url, headers }: Platform, filter: string): Promise<number> {
  const started = performance.now();
  const query = `limit=100&offset=0&filter=${encodeURIComponent(filter)}`;
  const response = await fetch(`${url}/iocs/combined/indicator/v1?${query}`, { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text.slice(0, 300)}`);
  return performance.now() - started;
}
