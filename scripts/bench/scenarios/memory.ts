import { join } from "node:path";
import type { Scenario, BenchRun } from "../scenario.ts";
import { residentMegabytes, type Result } from "../measure.ts";
import { fill, start, type Filled } from "../platform.ts";

export const memoryScenarios: readonly Scenario[] = [{ name: "memory", run: memory }];

/** A heap limit that a server would exceed if it kept the listed records. */
const smallHeap = ["--max-old-space-size=48", "--max-semi-space-size=2"];

/**
 * Reports megabytes instead of ratios. Most growth while listing is garbage: a page of 1,000
 * records is 0.7 MB of text, and V8 lets its young generation grow under such an allocation rate:
 * with `--max-semi-space-size=1` the growth is less than half. A second run in a small heap shows
 * what the server needs: SQLite's page cache of 16 MB, and pages under way.
 */
async function memory({ folder, scale }: BenchRun): Promise<readonly Result[]> {
  const filled = await fill(`sqlite:${join(folder, "memory.sqlite")}`, 1_000_000 * scale);
  const { idle, growth, listed } = await listAll(filled);
  const memoryUse = await listAll(filled, smallHeap);
  return [
    {
      name: "memory of an idle server, MB",
      figure: "resident",
      ratio: idle,
      target: 150,
      targetIs: "at most",
    },
    {
      name: "growth while listing, MB",
      figure: `${listed} indicators listed page by page`,
      ratio: growth,
      target: 100,
      targetIs: "at most",
      note: "mostly garbage that V8 has not collected yet; the next line is without it",
    },
    {
      name: "growth while listing in a heap of 48 MB, MB",
      figure: `${memoryUse.listed} indicators listed page by page`,
      ratio: memoryUse.growth,
      target: 100,
      targetIs: "at most",
    },
  ];
}

interface Listing {
  /** Resident memory before, and its maximum increase, in megabytes. */
  readonly idle: number;
  readonly growth: number;
  readonly listed: number;
}

async function listAll(filled: Filled, flags: readonly string[] = []): Promise<Listing> {
  const platform = await start(filled, { flags });
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const idle = residentMegabytes(platform.pid);
  let most = idle;
  let after: string | null = null;
  let listed = 0;
  do {
    const query: string = after === null ? "" : `&after=${after}`;
    const response: Response = await fetch(
      `${platform.url}/iocs/combined/indicator/v1?limit=1000${query}`,
      { headers: platform.headers },
    );
    listed += ((await response.json()) as unknown[]).length;
    after = response.headers.get("x-pagination-after");
    most = Math.max(most, residentMegabytes(platform.pid));
  } while (after !== null);
  await platform.stop();
  return { idle, growth: most - idle, listed };
}
