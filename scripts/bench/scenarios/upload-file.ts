import { randomBytes } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Scenario, BenchRun } from "../scenario.ts";
import { median, processorSeconds, type Result } from "../measure.ts";
import { openTenant, start } from "../platform.ts";
import { newCase, sendFile } from "../send-file.ts";

const megabytes = 64;
const rounds = 9;

export const uploadScenarios: readonly Scenario[] = [{ name: "upload of a file", run: uploadFile }];

/** Alternating, so that both have the same disk conditions. */
async function uploadFile({ folder, scale }: BenchRun): Promise<readonly Result[]> {
  const bytes = Math.round(megabytes * Math.min(1, scale) * 1024 * 1024);
  const tenant = await openTenant(`sqlite:${join(folder, "uploads.sqlite")}`, [
    "cases:read",
    "cases:write",
  ]);
  await tenant.store.close();
  const platform = await start(tenant, { processor: null });
  const caseId = await newCase(platform);
  const [own, plain]: [number[], number[]] = [[], []];
  const [ownProcessor, plainProcessor]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    // Different content each time, because equal files share one blob.
    const content = randomBytes(bytes);
    const ownBegan = processorSeconds(platform.pid);
    own.push(await timed(() => sendFile(platform, caseId, content)));
    ownProcessor.push(processorSeconds(platform.pid) - ownBegan);
    const plainBegan = process.cpuUsage();
    plain.push(await timed(() => writeAndSync(join(folder, "plain.bin"), content)));
    const { user, system } = process.cpuUsage(plainBegan);
    plainProcessor.push((user + system) / 1_000_000);
  }
  await platform.stop();
  const rate = (times: readonly number[]): number => bytes / 1024 ** 2 / (median(times) / 1_000);
  return [
    {
      name: `upload ${megabytes} MB, durable / writing and syncing the same bytes to a file`,
      figure: `${rate(own).toFixed(0)} to ${rate(plain).toFixed(0)} MB a second`,
      ratio: median(own.map((time, round) => (plain[round] ?? 0) / time)),
      target: 0.4,
      targetIs: "at least",
      note: `${median(ownProcessor).toFixed(2)} to ${median(plainProcessor).toFixed(2)} s of processor time, the server's with receiving, hashing and checking; the client of the bench shares the processors`,
    },
  ];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function writeAndSync(path: string, content: Buffer): Promise<void> {
  const file = await open(path, "w");
  await file.writeFile(content);
  await file.sync();
  await file.close();
  await rm(path);
}
