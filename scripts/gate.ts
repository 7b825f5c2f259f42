/**
 * Gates spec/: compares it with a base and fails if the change breaks clients without an approval, or if no
 * changeset announces it.
 * `npm run gate -- --base REVISION|FILE|URL [options of spec-gate]`; without `--base`, the base is
 * the merge base with main.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "@security-platform/spec-gate";
import { missingChangeset, readChangesets, type Bump } from "./spec-changeset.ts";

const folder = fileURLToPath(new URL("..", import.meta.url));
const document = "spec/openapi.yaml";

function git(...words: readonly string[]): string | undefined {
  try {
    const stdio = ["ignore", "pipe", "ignore"] as ("ignore" | "pipe")[];
    return execFileSync("git", words, { cwd: folder, stdio }).toString().trim();
  } catch {
    return undefined;
  }
}

/** The merge base of the current branch with main, at the remote if there is one. */
function mergeBase(): string | undefined {
  for (const branch of ["origin/main", "main"]) {
    const commit = git("merge-base", "HEAD", branch);
    if (commit !== undefined) return commit;
  }
  return undefined;
}

const isLocation = (base: string): boolean =>
  /^(?:git:|https?:\/\/)/.test(base) || existsSync(base);

const words = process.argv.slice(2);
const at = words.indexOf("--base");
const named = at < 0 ? undefined : words.splice(at, 2)[1];
const skips = words.includes("--skip-without-base");
if (skips) words.splice(words.indexOf("--skip-without-base"), 1);
const base = named ?? mergeBase();

if (at >= 0 && named === undefined) {
  console.error("gate: --base: expected a git revision, a file or a URL");
  process.exitCode = 2;
} else if (base === undefined) {
  const reason = "there is no base to compare spec/ with: no git history that leads to main";
  console.error(`gate: ${skips ? "skipped, " : ""}${reason}; name one with --base`);
  process.exitCode = skips ? 0 : 2;
} else {
  process.exitCode = await gate(base);
}

async function gate(from: string): Promise<number> {
  process.chdir(folder);
  const reports = mkdtempSync(join(tmpdir(), "secplat-gate-"));
  const report = join(reports, "report.json");
  try {
    const code = await runCommand(
      [
        isLocation(from) ? from : `git:${from}:${document}`,
        document,
        "--approvals",
        "spec/approvals.yaml",
        "--check-version",
        "--also",
        `json=${report}`,
        ...words,
      ],
      {
        stdout: process.stdout,
        stderr: process.stderr,
        folder,
        fetch,
        now: () => new Date(),
      },
    );
    if (!existsSync(report)) return code;
    const { verdict } = JSON.parse(readFileSync(report, "utf8")) as { readonly verdict: Bump };
    const since = isLocation(from) ? undefined : from;
    const problem = missingChangeset(verdict, await readChangesets(folder, since));
    if (problem === null) return code;
    console.error(`gate: ${problem}`);
    return Math.max(code, 1);
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
}
