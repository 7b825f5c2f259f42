import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Result } from "../measure.ts";
import type { Scenario } from "../scenario.ts";

const program = fileURLToPath(new URL("../double-times.ts", import.meta.url));

/** Milliseconds instead of ratios. */
export const doubleScenarios: readonly Scenario[] = [{ name: "test double", run }];

interface Times {
  readonly importing: number;
  readonly firstStart: number;
  readonly secondStart: number;
  readonly reset: number;
  readonly restore: number;
}

/** How long a platform inside a test takes. */
async function run(): Promise<readonly Result[]> {
  // Of the built packages, as users have them.
  const times = JSON.parse(
    execFileSync(process.execPath, [program], { encoding: "utf8" }),
  ) as Times;
  return [
    result("milliseconds to import the test double", times.importing, 500),
    result("milliseconds of its first start", times.firstStart, 300),
    result("milliseconds of its next start", times.secondStart, 30),
    result("milliseconds of a reset after one test", times.reset, 5),
    result("milliseconds to restore a seeded world", times.restore, 20),
  ];
}

const result = (name: string, milliseconds: number, target: number): Result => ({
  name,
  figure: "a new process",
  ratio: milliseconds,
  target,
  targetIs: "at most",
});
