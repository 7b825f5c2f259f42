import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aligned, met, type Result } from "./measure.ts";
import { stopPostgres } from "./postgres.ts";
import type { BenchRun, Scenario } from "./scenario.ts";

export interface RunOptions extends Pick<BenchRun, "sizes" | "figure"> {
  /** Shorter, with a tenth of the records. */
  readonly quick: boolean;
}

/** Runs the scenarios one after the other. */
export async function runAll(
  chosen: readonly Scenario[],
  { quick, sizes, figure }: RunOptions,
): Promise<readonly Result[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const results: Result[] = [];
  try {
    for (const { name, run } of chosen) {
      process.stderr.write(`${name} …\n`);
      const [scale, seconds] = quick ? [0.1, 2] : [1, 6];
      results.push(...(await run({ folder, scale, seconds, sizes, figure })));
    }
  } finally {
    await stopPostgres();
    rmSync(folder, { recursive: true, force: true });
  }
  return results;
}

/** A line for each result. */
export function report(results: readonly Result[]): string {
  const rows = results.map((result) => [
    met(result) ? "met " : "MISS",
    result.name,
    result.ratio.toFixed(2),
    `${result.targetIs} ${result.target}`,
    [result.figure, result.note ?? ""].filter((text) => text !== "").join("; "),
  ]);
  return aligned(rows);
}
