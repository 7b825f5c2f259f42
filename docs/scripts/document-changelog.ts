/**
 * Writes `spec/CHANGELOG.md`: what changed in the document, by version. `spec-gate` compares the last state of each
 * version in the history of Git with the last state of the version before. Run it after `info.version` was raised.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../..", import.meta.url));
const gate = join(project, "packages/spec-gate/src/bin.ts");
const file = "spec/openapi.yaml";

const git = (...words: readonly string[]): string =>
  execFileSync("git", words, { cwd: project, encoding: "utf8" }).trim();

/** The commits that changed the version, the oldest first. */
const raises = git(
  "log",
  "--reverse",
  "--extended-regexp",
  "-G^  version:",
  "--format=%h",
  "--",
  file,
)
  .split("\n")
  .slice(1);

function entry(base: string, revision: string, folder: string): string {
  const output = join(folder, "entry.md");
  const date = git("log", "-1", "--format=%as", revision, "--", "spec");
  const sides = [base, revision].map((commit) => `git:${commit}:${file}`);
  const options = ["--changelog", output, "--today", date, "--output", join(folder, "report.txt")];
  try {
    const words = ["--conditions=@security-platform/source", gate, ...sides, ...options];
    execFileSync(process.execPath, words, { cwd: project, stdio: "pipe" });
  } catch (error) {
    // Breaking changes were approved when they were made.
    if ((error as { readonly status?: number }).status !== 1) throw error;
  }
  return readFileSync(output, "utf8").trim();
}

const folder = mkdtempSync(join(tmpdir(), "document-changelog-"));
try {
  const entries = raises.map((raise, index) => {
    const next = raises[index + 1];
    return entry(`${raise}^`, next === undefined ? "HEAD" : `${next}^`, folder);
  });
  writeFileSync(
    join(project, "spec/CHANGELOG.md"),
    `${["# Changes of the document", ...entries.toReversed()].join("\n\n")}\n`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
