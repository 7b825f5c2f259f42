import { join } from "node:path";
import type { BenchCase, BenchRun } from "./cases.ts";
import { median, type Result } from "./measure.ts";
import { fill, start, type Platform } from "./platform.ts";
import { newDatabase } from "./postgres.ts";

const indicatorCount = 2_000;
const rounds = 9;
const targetMilliseconds = 100;

/** The last pairs fit in the headers of a request. */
const filters: Readonly<Record<string, string>> = {
  "1,000 values": repeated(1_000, (at) => `source:'f${at}'`, ","),
  "1,000 values of an array": repeated(1_000, (at) => `tags:'c${at}'`, ","),
  "1,000 excluded values of an array": repeated(1_000, (at) => `tags:!'c${at}'`, "+"),
  "450 pairs of values of an array": repeated(450, (at) => `(tags:'c${at}'+tags:'b')`, ","),
};

function repeated(count: number, condition: (at: number) => string, joint: string): string {
  return Array.from({ length: count }, (_, at) => condition(at)).join(joint);
}

export const filterCases: readonly BenchCase[] = [{ name: "large filters", run: largeFilters }];

/** First pages of filters that match nothing or everything, so that every record is compared. */
async function largeFilters({ folder, scale }: BenchRun): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const [engine, url] of [
    ["SQLite", `sqlite:${join(folder, "filters.sqlite")}`],
    ["PostgreSQL", await newDatabase("filters")],
  ] as const) {
    const platform = await start(await fill(url, indicatorCount * scale));
    for (const [name, filter] of Object.entries(filters)) {
      const times: number[] = [];
      for (let round = 0; round < rounds; round += 1) times.push(await timed(platform, filter));
      const ratio = median(times);
      results.push({
        name: `filter of ${name}, ${engine}, milliseconds`,
        figure: `${ratio.toFixed(1)} ms among ${indicatorCount * scale} indicators`,
        ratio,
        target: targetMilliseconds,
        wanted: "at most",
      });
    }
    await platform.stop();
  }
  return results;
}

async function timed({ url, headers }: Platform, filter: string): Promise<number> {
  const started = performance.now();
  const query = `limit=100&filter=${encodeURIComponent(filter)}`;
  const response = await fetch(`${url}/iocs/combined/indicator/v1?${query}`, { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text.slice(0, 300)}`);
  return performance.now() - started;
}
