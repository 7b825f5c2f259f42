import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../..", import.meta.url));

/**
 * When the sources of the pages were last changed, in Unix milliseconds by path in the project. Empty without the
 * history of Git. One run of Git is enough for all pages.
 */
export function lastChanges(): ReadonlyMap<string, number> {
  const words = [
    "log",
    "--format=%ct000",
    "--name-only",
    "--",
    "docs/guides",
    "docs/index.md",
    "spec",
  ];
  const { status, stdout } = spawnSync("git", words, {
    cwd: project,
    encoding: "utf8",
    maxBuffer: 64 * 1_024 * 1_024,
  });
  return status === 0 ? changesIn(stdout) : new Map();
}

/** Reads times, each followed by the files that changed then; the newest come first. */
export function changesIn(log: string): ReadonlyMap<string, number> {
  const changes = new Map<string, number>();
  let time = 0;
  for (const line of log.split("\n")) {
    if (/^\d+$/.test(line)) time = Number(line);
    else if (line !== "" && !changes.has(line)) changes.set(line, time);
  }
  return changes;
}
