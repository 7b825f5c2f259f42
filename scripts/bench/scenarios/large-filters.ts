import { join } from "node:path";
import type { Scenario, BenchRun } from "../scenario.ts";
import { median, type Result } from "../measure.ts";
import { fill, start, type Platform } from "../platform.ts";
import { newDatabase } from "../postgres.ts";

const indicatorCount = 2_000;
const rounds = 9;
const targetMilliseconds = 100;

/** Characters of a filter in the query of a request. */
const longest = 8_192;

const hour = 3_600_000;
const instant = (at: number): string => new Date(at * hour).toISOString();

const filters: Readonly<Record<string, string>> = {
  values: filling((at) => `value:${at}`, ","),
  "patterns of a value": filling((at) => `value:*'*q${at}*'`, ","),
  "starts of a value": filling((at) => `value:*'q${at}*'`, ","),
  "excluded patterns of a value": filling((at) => `value:!*'*q${at}*'`, "+"),
  instants: filling((at) => `created_on:'${instant(at).slice(0, 16)}'`, ","),
  "ranges of instants": filling(
    (at) => `(created_on:>'${instant(at)}'+created_on:<'${instant(at + 1)}')`,
    ",",
  ),
  "values of an array": filling((at) => `tags:${at}`, ","),
  "values of an array at once": filling((at) => `tags:${at}`, "+"),
  "excluded values of an array": filling((at) => `tags:!c${at}`, "+"),
  "patterns of an array": filling((at) => `tags:*'*q${at}*'`, ","),
  "pairs of values of an array": filling((at) => `(tags:${at}+tags:b)`, ","),
  "differing pairs of values of an array": filling((at) => `(tags:${at}+tags:b${at})`, ","),
  "pairs of patterns": filling((at) => `(tags:*'*q${at}'+value:*'*q${at}')`, ","),
  "groups that all hold": filling((at) => `(tags:!'x${at}',value:'${at}')`, "+"),
};

/** As many conditions as a request can have. */
function filling(condition: (at: number) => string, joint: string): string {
  const conditions = [condition(0)];
  let length = conditions[0]?.length ?? 0;
  for (let at = 1; at < 1_000; at += 1) {
    const next = condition(at);
    length += joint.length + next.length;
    if (length > longest) break;
    conditions.push(next);
  }
  return conditions.join(joint);
}

export const filterScenarios: readonly Scenario[] = [{ name: "large filters", run: largeFilters }];

/** First pages of filters that match nothing or everything, so that every record is compared. */
async function largeFilters({ folder, scale }: BenchRun): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const [engine, url] of [
    ["SQLite", `sqlite:${join(folder, "filters.sqlite")}`],
    ["PostgreSQL", await newDatabase("filters")],
  ] as const) {
    const platform = await start(await fill(url, indicatorCount * scale), {
      words: ["--overload-delay=0"],
    });
    for (const [name, filter] of Object.entries(filters)) {
      const times: number[] = [];
      for (let round = 0; round < rounds; round += 1) times.push(await timed(platform, filter));
      const ratio = median(times);
      results.push({
        name: `filter of many ${name}, ${engine}, milliseconds`,
        figure: `${ratio.toFixed(1)} ms: ${filter.match(/[a-z_]:/g)?.length ?? 0} conditions, ${indicatorCount * scale} indicators`,
        ratio,
        target: targetMilliseconds,
        targetIs: "at most",
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
