import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Report } from "../../src/report/model.ts";
import type { JudgedPair } from "./model.ts";
import { oasdiffCounts } from "./oasdiff.ts";

/** Two versions of a document in a public repository. */
export interface RealPair {
  readonly repository: string;
  readonly path: string;
  readonly from: string;
  readonly to: string;
  /** The document has several files, which oasdiff cannot read from a revision. */
  readonly hasFiles?: boolean;
}

const bin = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));
/** Prints the most memory that the process had, in kilobytes. */
const measured = `data:text/javascript,${encodeURIComponent(
  'process.on("exit", () => process.stderr.write(`memory ${process.resourceUsage().maxRSS}\\n`))',
)}`;
const mostOutput = 1024 * 1024 * 1024;

/** Judges each pair, from bare clones in a folder. */
export const judgedPairs = (
  pairs: readonly RealPair[],
  repositories: string,
  oasdiff: string | undefined,
): readonly JudgedPair[] =>
  pairs.map((pair) => {
    const folder = join(repositories, pair.repository.replace("/", "+"), "repo");
    const git = (...words: readonly string[]): string =>
      spawnSync("git", words, { cwd: folder, encoding: "utf8", maxBuffer: mostOutput }).stdout;
    const dayOf = (commit: string): string => git("log", "-1", "--format=%as", commit).trim();
    const texts = [pair.from, pair.to].map((commit) => git("show", `${commit}:${pair.path}`));
    const day = { from: dayOf(pair.from), to: dayOf(pair.to) };
    process.stderr.write(`${pair.repository} ${pair.path} ${day.from} ${day.to}\n`);
    return {
      document: `${pair.repository} ${pair.path}`,
      from: `${day.from} (${pair.from})`,
      to: `${day.to} (${pair.to})`,
      megabytes: round(Math.max(...texts.map((text) => text.length)) / 1_000_000),
      ...judgedByGate(pair, folder),
      oasdiff:
        oasdiff === undefined || pair.hasFiles === true ? null : judgedByOasdiff(oasdiff, texts),
    };
  });

const round = (value: number): number => Math.round(value * 10) / 10;

function judgedByGate({ from, to, path }: RealPair, folder: string) {
  const began = performance.now();
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      "--conditions=@security-platform/source",
      "--import",
      measured,
      bin,
      `git:${from}:${path}`,
      `git:${to}:${path}`,
      "--format",
      "json",
      "--time-limit",
      "3600",
    ],
    { cwd: folder, encoding: "utf8", maxBuffer: mostOutput },
  );
  const seconds = (performance.now() - began) / 1000;
  if (stdout === "") throw new Error(`${path}: ${stderr}`);
  const { verdict, changes, causes, problem } = JSON.parse(stdout) as Report;
  const count = (wanted: string): number =>
    changes.filter(({ verdict: each }) => each === wanted).length;
  return {
    verdict: verdict ?? problem ?? "",
    major: count("major"),
    minor: count("minor"),
    causes: causes.filter((cause) => cause.verdict === "major").length,
    seconds: round(seconds),
    memory: Math.round(Number(/memory (\d+)/.exec(stderr)?.[1] ?? 0) / 1000),
  };
}

function judgedByOasdiff(program: string, texts: readonly string[]): JudgedPair["oasdiff"] {
  const folder = mkdtempSync(join(tmpdir(), "spec-gate-pair-"));
  try {
    const files = texts.map((text, index) => {
      const file = join(folder, `${index}.yaml`);
      writeFileSync(file, text);
      return file;
    });
    const [base = "", revision = ""] = files;
    const began = performance.now();
    const counts = oasdiffCounts(program, base, revision);
    const seconds = round((performance.now() - began) / 1000);
    return counts === undefined ? null : { ...counts, seconds };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
