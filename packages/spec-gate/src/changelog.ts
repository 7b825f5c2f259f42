import { posix } from "node:path";
import type { ChangelogCommand } from "./command-line.ts";
import { gate } from "./gate.ts";
import { isObject } from "./json.ts";
import { changelogs, entryOf, type ChangelogEntry } from "./report/changelog.ts";
import { versionIn } from "./policy/version.ts";
import { CannotJudge } from "./read/cannot-judge.ts";
import { loadDocument, type LoadOptions } from "./read/load-document.ts";
import { parseText } from "./read/parse.ts";
import { git } from "./read/read-files.ts";
import { reportOf } from "./report/model.ts";

/** The most that git may answer: a document of the largest size. */
const mostBytes = 64 * 1024 * 1024;

/**
 * The changes of a document in a range of commits, by version. Each version is compared with the last
 * state of the one before. Without a start, the first version of the history is where it starts.
 */
export async function changelogText(
  command: ChangelogCommand,
  reading: LoadOptions,
): Promise<string> {
  const history = historyOf(command, reading.folder);
  const entries: ChangelogEntry[] = [];
  for (const { base, revision } of history.steps) {
    const day = new Date(
      `${history.run(["log", "-1", "--format=%as", revision, "--", history.area])}`,
    );
    const [before, after] = await Promise.all(
      [base, revision].map((each) => loadDocument(`git:${each}:${history.path}`, reading)),
    );
    if (before === undefined || after === undefined) continue;
    const judgement = await gate(before, after, { today: day, folder: reading.folder });
    entries.push(entryOf(reportOf(judgement), day));
  }
  return changelogs[command.format](entries.toReversed());
}

interface History {
  readonly run: (words: readonly string[]) => string;
  readonly path: string;
  /** The folder whose commits count, because the document may have several files. */
  readonly area: string;
  readonly steps: readonly { readonly base: string; readonly revision: string }[];
}

function historyOf({ document, from, to }: ChangelogCommand, folder: string): History {
  const run = (words: readonly string[]): string =>
    git(words, folder, "", mostBytes).toString().trim();
  const path = `./${posix.normalize(document.replaceAll("\\", "/"))}`;
  const end = commitOf(run, "--to", to);
  const start = from === undefined ? undefined : commitOf(run, "--from", from);
  const versionAt = (commit: string): string | undefined => {
    let text: string;
    try {
      text = run(["show", `${commit}:${path}`]);
    } catch {
      return undefined;
    }
    const root = parseText(text, `${commit}:${path}`);
    return isObject(root) ? versionIn(root) : undefined;
  };
  for (const [option, name, commit] of [
    ["--from", from, start],
    ["--to", to, end],
  ] as const) {
    if (commit === undefined || versionAt(commit) !== undefined) continue;
    throw new CannotJudge(`${option}: ${document} does not exist at ${String(name)}`);
  }
  const range = start === undefined ? [end] : [end, `^${start}`];
  const touched = run(["log", "--reverse", "-Gversion", "--format=%h", ...range, "--", path]);
  const raises = touched.split("\n").filter((commit) => {
    if (commit === "") return false;
    const before = versionAt(`${commit}^`);
    return before !== undefined && before !== versionAt(commit);
  });
  const lasts = [...raises.map((raise) => `${raise}^`), end];
  const bases = start === undefined ? lasts : [start, ...lasts.slice(1)];
  const steps =
    raises.length === 0
      ? start === undefined
        ? []
        : [{ base: start, revision: end }]
      : raises.map((_, index) => ({
          base: bases[index] ?? end,
          revision: lasts[index + 1] ?? end,
        }));
  return { run, path, area: posix.dirname(path), steps };
}

function commitOf(
  run: (words: readonly string[]) => string,
  option: string,
  revision: string,
): string {
  try {
    return run(["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`]);
  } catch (error) {
    if (error instanceof CannotJudge) throw error;
    throw new CannotJudge(`${option}: there is no commit ${revision}; a shallow clone may lack it`);
  }
}
