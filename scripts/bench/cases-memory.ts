import { join } from "node:path";
import type { BenchCase, BenchRun } from "./cases.ts";
import { residentMegabytes, type Result } from "./measure.ts";
import { fill, start } from "./platform.ts";

export const memoryCases: readonly BenchCase[] = [{ name: "memory", run: memory }];

/** Megabytes stand where the other cases have ratios. */
async function memory({ folder, scale }: BenchRun): Promise<readonly Result[]> {
  const filled = await fill(`sqlite:${join(folder, "memory.sqlite")}`, 1_000_000 * scale);
  const platform = await start(filled);
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
  return [
    {
      name: "memory of an idle server, MB",
      figure: "resident",
      ratio: idle,
      target: 150,
      wanted: "at most",
    },
    {
      name: "growth while listing, MB",
      figure: `${listed} indicators listed page by page`,
      ratio: most - idle,
      target: 100,
      wanted: "at most",
    },
  ];
}
