import { randomBytes } from "node:crypto";
import { get } from "node:http";
import { join } from "node:path";
import type { Scenario, BenchRun } from "../scenario.ts";
import { residentMegabytes, type Result } from "../measure.ts";
import { openTenant, start, type Platform } from "../platform.ts";
import { newCase, sendFile } from "../send-file.ts";

export const archiveScenarios: readonly Scenario[] = [{ name: "bulk ZIP", run: bulkZip }];

/** The largest archive: 100 files of the largest size, 10 GB. */
const [fileMegabytes, files] = [100, 100];

/**
 * Equal files are one blob, so a few megabytes on the disk become an archive of gigabytes. Megabytes take
 * the place of ratios, as in the cases of memory. The target is for what the download adds: Node.js with
 * this server has more than 100 MB before any request.
 */
async function bulkZip({ folder, scale }: BenchRun): Promise<readonly Result[]> {
  const tenant = await openTenant(`sqlite:${join(folder, "archive.sqlite")}`, [
    "cases:read",
    "cases:write",
  ]);
  await tenant.store.close();
  const receiving = await start(tenant);
  const caseId = await newCase(receiving);
  const content = randomBytes(fileMegabytes * 1024 ** 2);
  const count = Math.max(2, Math.round(files * scale));
  const ids: string[] = [];
  for (let file = 0; file < count; file += 1) {
    ids.push(await sendFile(receiving, caseId, content));
  }
  await receiving.stop();
  // Another process, so that the growth is that of the download alone.
  const platform = await start(tenant);
  const idle = residentMegabytes(platform.pid);
  const { bytes, most } = await download(platform, ids);
  await platform.stop();
  return [
    {
      name: "growth while a bulk ZIP is streamed, MB",
      figure: `${(bytes / 1e9).toFixed(1)} GB of ${count} files`,
      ratio: most - idle,
      target: 100,
      targetIs: "at most",
      note: `${Math.round(idle)} MB when idle, which is Node.js with this server; ${Math.round(most)} at most`,
    },
  ];
}

/** Reads the archive and keeps nothing of it. */
async function download({ url, headers, pid }: Platform, ids: readonly string[]) {
  const answer = await fetch(`${url}/case-files/entities/files/bulk-download/v1`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ ids }),
  });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  const [archive] = (await answer.json()) as readonly { readonly link: string }[];
  return new Promise<{ readonly bytes: number; readonly most: number }>((resolve, reject) => {
    get(archive?.link ?? "", (response) => {
      if (response.statusCode !== 200) reject(new Error(`${response.statusCode} on download`));
      let [bytes, most, sampled] = [0, residentMegabytes(pid), 0];
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes - sampled < 16 * 1024 ** 2) return;
        sampled = bytes;
        most = Math.max(most, residentMegabytes(pid));
      });
      response.once("end", () => resolve({ bytes, most }));
      response.once("error", reject);
    }).once("error", reject);
  });
}
