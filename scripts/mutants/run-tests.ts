import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { packageOf } from "./fault.ts";

/** The part of the report of Vitest's JSON reporter that is used. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/**
 * `failed`: with the first test that did. `broken`: a test file did not load, or Vitest did not run. `late`: the tests
 * were not at an end in time.
 */
export type Outcome =
  | { readonly kind: "passed" | "late" }
  | { readonly kind: "failed" | "broken"; readonly what: string };

let running: ChildProcess | undefined;

/** Ends the tests that run. */
export function stopTests(): void {
  const { pid } = running ?? {};
  if (pid === undefined) return;
  try {
    // Vitest's workers, and the programs that they start, are in its group.
    if (process.platform === "win32") running?.kill("SIGKILL");
    else process.kill(-pid, "SIGKILL");
  } catch {
    // They have just ended.
  }
}

/** Runs the tests that have no tag `exhaustive`, in one package after the other, until one fails. */
export async function runTests(
  folder: string,
  tests: readonly string[],
  milliseconds: number,
): Promise<Outcome> {
  const until = performance.now() + milliseconds;
  for (const [place, own] of Map.groupBy(tests, packageOf)) {
    const outcome = await runPackage(folder, place, own, until - performance.now());
    if (outcome.kind !== "passed") return outcome;
  }
  return { kind: "passed" };
}

async function runPackage(
  folder: string,
  place: string,
  tests: readonly string[],
  milliseconds: number,
): Promise<Outcome> {
  const report = join(folder, "report.json");
  rmSync(report, { force: true });
  const words = [
    join(folder, "node_modules/vitest/vitest.mjs"),
    "run",
    ...(place === "scripts" ? ["--config", join(folder, "scripts/vitest.config.ts")] : []),
    "--tags-filter=!exhaustive",
    "--bail=1",
    "--reporter=json",
    `--outputFile=${report}`,
    ...tests.map((test) => relative(place, test)),
  ];
  const child = spawn(process.execPath, words, {
    cwd: join(folder, place),
    stdio: ["ignore", "pipe", "pipe"],
    detached: process.platform !== "win32",
  });
  running = child;
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stopTests();
  }, milliseconds);
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  clearTimeout(timer);
  running = undefined;
  return outcomeOf(report, status, isLate, output);
}

function outcomeOf(path: string, status: number | null, isLate: boolean, output: string): Outcome {
  if (isLate) return { kind: "late" };
  let report: Report;
  try {
    report = JSON.parse(readFileSync(path, "utf8")) as Report;
  } catch {
    return { kind: "broken", what: output.trim() || `Vitest ended with ${status}` };
  }
  const failures = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter((each) => each.status === "failed")
      .map(({ fullName }) => `${name.split("/").at(-1)}, "${fullName}"`),
  );
  if (failures[0] !== undefined) return { kind: "failed", what: failures[0] };
  if (status === 0) return { kind: "passed" };
  const message = report.testResults.find((each) => each.status === "failed")?.message;
  return { kind: "broken", what: message || output.trim() || `Vitest ended with ${status}` };
}
