import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { aligned, median, type Result } from "./measure.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const rounds = 3;

/** A line of the bench, in this revision and in another one. */
interface Compared {
  readonly name: string;
  readonly now: number;
  readonly before: number;
  readonly targetIs: Result["targetIs"];
}

interface AgainstOptions {
  readonly revision: string;
  /** Names of scenarios. */
  readonly chosen: readonly string[];
  readonly quick: boolean;
}

/**
 * Runs scenarios of this revision and of another one in turns, each with its own bench, and compares the ratios of the
 * lines that both have. A ratio is the platform's figure to that of the engine or of a bare route in the same run, so
 * most of what the machine does meanwhile affects both.
 */
export function benchAgainst({ revision, chosen, quick }: AgainstOptions): readonly Compared[] {
  const folder = mkdtempSync(join(tmpdir(), "bench-against-"));
  try {
    const other = checkOut(revision, folder);
    const now = new Map<string, Result[]>();
    const before = new Map<string, Result[]>();
    for (const name of chosen) {
      for (let round = 1; round <= rounds; round += 1) {
        process.stderr.write(`${name}, round ${round} of ${rounds}\n`);
        run(other, name, quick, join(folder, "before.json"), before);
        run(root, name, quick, join(folder, "now.json"), now);
      }
    }
    return [...now].flatMap(([name, results]) => {
      const others = before.get(name);
      const [first] = results;
      if (others === undefined || first === undefined) return [];
      const ratio = (each: readonly Result[]): number => median(each.map((result) => result.ratio));
      return [{ name, now: ratio(results), before: ratio(others), targetIs: first.targetIs }];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How good this revision is in parts of the other one: above 1 is better. */
const improvement = ({ now, before, targetIs }: Compared): number =>
  targetIs === "at least" ? now / before : before / now;

/** Whether this revision is more than a tenth worse. */
export const isSlower = (line: Compared): boolean => improvement(line) < 0.9;

/** A line for each, with how good this revision is in parts of the other one: above 1 is better. */
export function reportAgainst(compared: readonly Compared[], revision: string): string {
  const rows = compared.map((line) => [
    line.name,
    improvement(line).toFixed(2),
    `${line.now.toFixed(2)} now, ${line.before.toFixed(2)} in ${revision}`,
  ]);
  return aligned(rows);
}

/** The commit of a revision. Undefined if there is none. */
export function commitOf(revision: string): string | undefined {
  const words = ["rev-parse", "--quiet", "--verify", `${revision}^{commit}`];
  const { status, stdout } = spawnSync("git", words, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/** A clone of the revision, installed and built. */
function checkOut(revision: string, folder: string): string {
  const commit = commitOf(revision) ?? "";
  const other = join(folder, "other");
  process.stderr.write(`builds ${commit}\n`);
  execFileSync("git", ["clone", "--quiet", "--no-checkout", root, other]);
  execFileSync("git", ["checkout", "--quiet", commit], { cwd: other });
  for (const words of [
    ["ci", "--no-audit", "--no-fund", "--silent"],
    ["run", "build", "--silent", "--", "--output-logs=errors-only"],
  ]) {
    execFileSync("npm", words, { cwd: other, stdio: ["ignore", "ignore", "inherit"] });
  }
  return other;
}

/** Adds the results of one scenario. A revision without it has none. */
function run(
  project: string,
  scenario: string,
  quick: boolean,
  file: string,
  results: Map<string, Result[]>,
): void {
  rmSync(file, { force: true });
  const words = ["--json", file, "--only", `^${scenario}$`, ...(quick ? ["--quick"] : [])];
  spawnSync(
    process.execPath,
    ["--conditions=@security-platform/source", "scripts/bench/main.ts", ...words],
    { cwd: project, stdio: "ignore" },
  );
  if (!existsSync(file)) return;
  const report = JSON.parse(readFileSync(file, "utf8")) as { readonly results: readonly Result[] };
  for (const result of report.results) {
    results.set(result.name, [...(results.get(result.name) ?? []), result]);
  }
}
