import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aligned, met, type Result } from "./measure.ts";
import { stopPostgres } from "./postgres.ts";
import type { Scenario } from "./scenario.ts";

/** Runs the scenarios one after the other. `quick`: shorter, with a tenth of the records. */
export async function runAll(
  chosen: readonly Scenario[],
  quick: boolean,
): Promise<readonly Result[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const results: Result[] = [];
  try {
    for (const { name, run } of chosen) {
      process.stderr.write(`${name} …\n`);
      results.push(...(await run({ folder, scale: quick ? 0.1 : 1, seconds: quick ? 2 : 6 })));
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
