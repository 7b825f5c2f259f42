import { join } from "node:path";
import type { Scenario, BenchRun } from "../scenario.ts";
import { median, type Result } from "../measure.ts";
import { openTenant, start, type Filled, type Platform } from "../platform.ts";

const exclusionCount = 10_000;
const exclusionsAtOnce = 500;
const patternId = "41005";
const targetMilliseconds = 20;
/** Loading and preparing all of them, at the first request after a start or a write. */
const targetColdMilliseconds = 250;
const coldRuns = 5;

export const ioaScenarios: readonly Scenario[] = [
  { name: "match a process against exclusions", run: matchProcess },
];

/** Complete requests over HTTP; all exclusions belong to the requested pattern. */
async function matchProcess({ folder, scale, seconds }: BenchRun): Promise<readonly Result[]> {
  const count = Math.round(exclusionCount * scale);
  const filled = await newTenant(`sqlite:${join(folder, "ioa.sqlite")}`);
  const first = await start(filled);
  for (let from = 0; from < count; from += exclusionsAtOnce) {
    await createExclusions(first, from, Math.min(exclusionsAtOnce, count - from));
  }
  await first.stop();

  const platform = await start(filled);
  const atStart = await timed(platform, 7);
  const afterWrite: number[] = [];
  for (let run = 0; run < coldRuns; run += 1) {
    await createExclusions(platform, count + run, 1);
    afterWrite.push(await timed(platform, run));
  }
  const warm: number[] = [];
  const end = performance.now() + seconds * 1_000;
  for (let number = 0; performance.now() < end; number += 17) {
    warm.push(await timed(platform, number % count));
  }
  await platform.stop();
  const figure = `a process against ${count} exclusions, milliseconds`;
  const inOrder = warm.toSorted((left, right) => left - right);
  const high = inOrder[Math.floor(warm.length * 0.95)] ?? Number.NaN;
  return [
    {
      name: `${figure}: the first since the server started`,
      figure: `${atStart.toFixed(1)} ms`,
      ratio: atStart,
      target: targetColdMilliseconds,
      targetIs: "at most",
    },
    {
      name: `${figure}: the first since a write`,
      figure: `median ${median(afterWrite).toFixed(1)} ms`,
      ratio: median(afterWrite),
      target: targetColdMilliseconds,
      targetIs: "at most",
    },
    {
      name: `${figure}: every other`,
      figure: `median ${median(warm).toFixed(2)} ms, 95 of 100 within ${high.toFixed(2)} ms`,
      ratio: high,
      target: targetMilliseconds,
      targetIs: "at most",
    },
  ];
}

async function newTenant(databaseUrl: string): Promise<Filled> {
  const scopes = ["ioa-exclusions:read", "ioa-exclusions:write"];
  const { store, load: _load, ...filled } = await openTenant(databaseUrl, scopes);
  await store.close();
  return filled;
}

const vendor = (number: number): string => String.raw`Program Files\Vendor ${number % 500}\bin`;
const quoted = (text: string): string => text.replaceAll(/[\\.]/g, String.raw`\$&`);

async function createExclusions(platform: Platform, from: number, count: number): Promise<void> {
  const exclusions = Array.from({ length: count }, (_, index) => {
    const number = from + index;
    const file = quoted(String.raw`${vendor(number)}\app-${number}.exe`);
    return {
      name: `Exclusion ${number}`,
      pattern_id: patternId,
      ifn_regex: String.raw`\\Device\\HarddiskVolume\d+\\${file}`,
      cl_regex: String.raw`"C:\\${file}" --snapshot \d+`,
      parent_ifn_regex: String.raw`.*\\System32\\services\.exe`,
      host_groups: ["all"],
    };
  });
  const answer = await post(platform, "/exclusions/entities/ss-ioa-exclusions/v2", { exclusions });
  if (answer.status !== 201) throw new Error(`not created: ${await answer.text()}`);
  await answer.arrayBuffer();
}

/** One request; the expected result is only the exclusion with that number. */
async function timed(platform: Platform, number: number): Promise<number> {
  const file = String.raw`${vendor(number)}\app-${number}.exe`;
  const began = performance.now();
  const answer = await post(platform, "/exclusions/entities/ss-ioa-matched-rules/v2", {
    aid: "e".repeat(32),
    pattern_ids: [patternId],
    image_file_name: `\\Device\\HarddiskVolume3\\${file}`,
    command_line: `"C:\\${file}" --snapshot 20260302`,
    parent_image_file_name: String.raw`\Device\HarddiskVolume3\Windows\System32\services.exe`,
    parent_command_line: String.raw`C:\Windows\system32\services.exe`,
    grandparent_image_file_name: "",
    grandparent_command_line: "",
  });
  const matches = (await answer.json()) as readonly unknown[];
  const milliseconds = performance.now() - began;
  if (matches.length !== 1) throw new Error(`${matches.length} exclusions match, expected one`);
  return milliseconds;
}

const post = (platform: Platform, path: string, body: object): Promise<Response> =>
  fetch(platform.url + path, {
    method: "POST",
    headers: { ...platform.headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
