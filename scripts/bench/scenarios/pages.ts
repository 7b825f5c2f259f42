import { DatabaseSync } from "node:sqlite";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Scenario, BenchRun } from "../scenario.ts";
import { load } from "../load.ts";
import { median, type Result } from "../measure.ts";
import { startMock } from "../mock.ts";
import { fill, start, type Platform } from "../platform.ts";

const conditions = "type:'domain'+severity:'high'+expired:false";
const question = `filter=${encodeURIComponent(conditions)}&sort=modified_on.desc&limit=100`;
const path = "/iocs/combined/indicator/v1";

export const pageScenarios: readonly Scenario[] = [
  { name: "page of 100", run: pageOf100 },
  { name: "deep page", run: deepPage },
  { name: "large table", run: largeTable },
];

async function pageOf100({ folder, scale, seconds }: BenchRun): Promise<readonly Result[]> {
  const file = join(folder, "page.sqlite");
  const platform = await start(await fill(`sqlite:${file}`, 100_000 * scale));
  const url = pageUrl(platform);
  const body = await (await fetch(url, { headers: platform.headers })).text();
  await load(platform.pid, { url, headers: platform.headers, seconds: 2 });
  const own = await load(platform.pid, { url, headers: platform.headers, seconds });
  await platform.stop();
  const engine = engineAlone(file, platform.cid, seconds);
  writeFileSync(join(folder, "page.json"), body);
  const results: Result[] = [
    {
      name: "page of 100 / engine alone",
      figure: `${Math.round(own.perProcessorSecond)}/s to ${Math.round(engine)}/s of processor (${body.length} bytes, ${Math.round(own.busy * 100)}% busy)`,
      ratio: own.perProcessorSecond / engine,
      target: 0.7,
      targetIs: "at least",
    },
  ];
  const mock = await startMock(folder, "indicator.combined.v1", JSON.parse(body));
  if (mock === null) return results;
  const mockUrl = `${mock.url}${path}?${question}`;
  await load(mock.pid, { url: mockUrl, headers: platform.headers, seconds: 2 });
  const mocked = await load(mock.pid, { url: mockUrl, headers: platform.headers, seconds });
  await mock.stop();
  return [
    ...results,
    {
      name: "page of 100 / Prism mock",
      figure: `${Math.round(own.perProcessorSecond)}/s to ${Math.round(mocked.perProcessorSecond)}/s of processor`,
      ratio: own.perProcessorSecond / mocked.perProcessorSecond,
      target: 1,
      targetIs: "at least",
      ...(mocked.failures > 0 ? { note: `${mocked.failures} failed responses` } : {}),
    },
  ];
}

/**
 * Pages per second of the same rows directly from SQLite, joined to the same text. The unary plus
 * before the conditions makes the engine use the index with the right order; without it, the
 * planner chooses badly.
 */
function engineAlone(file: string, cid: string, seconds: number): number {
  const database = new DatabaseSync(file, { readOnly: true });
  const statement = database.prepare(
    `select doc from ioc_indicators
     where cid = ? and valid_to is null and +field_type = 'domain' and +field_severity = 'high'
       and (turns_at is null or turns_at > ?)
     order by field_modified_on desc, row desc limit 101`,
  );
  const now = new Date().toISOString();
  const page = (): number =>
    `[${statement
      .all(cid, now)
      .map((row) => row["doc"] as string)
      .join(",")}]`.length;
  for (let warm = 0; warm < 200; warm += 1) page();
  const started = process.cpuUsage();
  const until = performance.now() + seconds * 1_000;
  let pages = 0;
  for (; performance.now() < until; pages += 1) page();
  const used = process.cpuUsage(started);
  database.close();
  return pages / ((used.user + used.system) / 1_000_000);
}

async function deepPage({ folder, scale }: BenchRun): Promise<readonly Result[]> {
  const count = 100_000 * scale;
  const pages = count / 100 - 1;
  const platform = await start(await fill(`sqlite:${join(folder, "deep.sqlite")}`, count));
  const first = `${platform.url}${path}?sort=value.asc&limit=100`;
  let after = "";
  for (let page = 1; page < pages; page += 1) {
    const query = after === "" ? "" : `&after=${after}`;
    const response = await fetch(first + query, { headers: platform.headers });
    await response.arrayBuffer();
    after = response.headers.get("x-pagination-after") ?? "";
  }
  const [shallow, deep] = await alternate(platform, first, platform, `${first}&after=${after}`);
  await platform.stop();
  return [
    {
      name: `page ${pages} / page 1, by after`,
      figure: `${deep.toFixed(2)} ms to ${shallow.toFixed(2)} ms`,
      ratio: deep / shallow,
      target: 1.2,
      targetIs: "at most",
    },
  ];
}

async function largeTable({ folder, scale }: BenchRun): Promise<readonly Result[]> {
  const small = await start(await fill(`sqlite:${join(folder, "small.sqlite")}`, 10_000 * scale));
  const large = await start(
    await fill(`sqlite:${join(folder, "large.sqlite")}`, 1_000_000 * scale),
  );
  const [less, more] = await alternate(small, pageUrl(small), large, pageUrl(large));
  await small.stop();
  await large.stop();
  return [
    {
      name: "page of 1,000,000 / page of 10,000",
      figure: `${more.toFixed(2)} ms to ${less.toFixed(2)} ms`,
      ratio: more / less,
      target: 1.5,
      targetIs: "at most",
    },
  ];
}

const pageUrl = (platform: Platform): string => `${platform.url}${path}?${question}`;

/** Median milliseconds of two requests, alternating so that drift of the machine affects both. */
async function alternate(
  left: Platform,
  leftUrl: string,
  right: Platform,
  rightUrl: string,
): Promise<readonly [number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < 600; round += 1) {
    times[0].push(await milliseconds(leftUrl, left.headers));
    times[1].push(await milliseconds(rightUrl, right.headers));
  }
  return [median(times[0].slice(100)), median(times[1].slice(100))];
}

async function milliseconds(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const started = performance.now();
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${response.status} from ${url}`);
  return performance.now() - started;
}
