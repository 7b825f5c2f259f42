import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import type { Verdict } from "../change.ts";
import { CannotJudge } from "../read/cannot-judge.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import { inFolder, writeDocument } from "../read/write-document.ts";

/** A change reported by `redocly diff`. */
export interface EngineFinding {
  readonly rule: string;
  readonly verdict: Verdict;
  readonly message: string;
  /** Path in the document with resolved references. */
  readonly path: string;
  /** Location in the source. */
  readonly pointer: string;
}

export interface EngineResult {
  readonly verdict: Verdict;
  readonly findings: readonly EngineFinding[];
}

/** Called with the id of each process that is started, and again when it has ended. */
type Watched = (process: number, runs: boolean) => void;

const seconds = 120;
const megabytes = 768;

/** Without rules the command accepts everything, so they are always passed. */
const configuration = JSON.stringify({
  extends: ["diff-recommended"],
  telemetry: "off",
});

/** Compares documents with `redocly diff`. Throws an `Error` if it cannot run. */
export async function redoclyDiff(
  base: LoadedDocument,
  revision: LoadedDocument,
  watched?: Watched,
): Promise<EngineResult> {
  return inFolder((folder) => {
    const before = writeDocument(base, join(folder, "base"));
    const after = writeDocument(revision, join(folder, "revision"));
    return run(folder, before, after, watched);
  });
}

/** Checks that the engine detects a breaking change. Throws `CannotJudge` if it does not. */
export async function checkEngine(watched?: Watched): Promise<void> {
  const operation = { responses: { 200: { description: "Fine." } } };
  const document = (paths: object) =>
    JSON.stringify({ openapi: "3.1.0", info: { title: "Canary", version: "1.0.0" }, paths });
  const { verdict } = await inFolder(async (folder) => {
    writeFileSync(join(folder, "base.json"), document({ "/a": { get: operation } }));
    writeFileSync(join(folder, "revision.json"), document({}));
    return run(folder, join(folder, "base.json"), join(folder, "revision.json"), watched);
  });
  if (verdict !== "major") {
    throw new CannotJudge(
      `redocly diff calls the removal of an operation ${verdict}; its rules are off, so it must not be relied on`,
    );
  }
}

async function run(
  folder: string,
  base: string,
  revision: string,
  watched?: Watched,
): Promise<EngineResult> {
  const manifest = findEngine();
  const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: Record<string, string> };
  const program = join(dirname(manifest), bin["redocly"] ?? "bin/cli.js");
  const config = join(folder, "redocly.yaml");
  const output = join(folder, "report.json");
  writeFileSync(config, configuration);
  const words = [
    `--max-old-space-size=${megabytes}`,
    program,
    "diff",
    relative(folder, base),
    relative(folder, revision),
    "--config",
    "redocly.yaml",
    "--format",
    "json",
    "--output",
    "report.json",
  ];
  const said = await finished(words, folder, watched);
  let text: string;
  try {
    text = readFileSync(output, "utf8");
  } catch {
    throw new Error(`redocly diff gave no report: ${said.trim().slice(0, 500)}`);
  }
  return resultOf(JSON.parse(text) as Report);
}

/** The package is an optional peer, because it brings hundreds of others. */
function findEngine(): string {
  try {
    return createRequire(import.meta.url).resolve("@redocly/cli/package.json");
  } catch {
    throw new CannotJudge(
      "--engine needs redocly diff; run first: npm install --save-dev @redocly/cli@2",
    );
  }
}

function finished(words: readonly string[], folder: string, watched?: Watched): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, {
      cwd: folder,
      env: {
        ...process.env,
        REDOCLY_TELEMETRY: "off",
        REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
        NO_COLOR: "1",
        NODE_OPTIONS: "",
      },
      stdio: ["ignore", "ignore", "pipe"],
      timeout: seconds * 1000,
    });
    const id = child.pid;
    if (id !== undefined) watched?.(id, true);
    let output = "";
    child.stderr.on("data", (part: Buffer) => {
      if (output.length < 10_000) output += part.toString();
    });
    child.on("error", reject);
    child.on("close", () => {
      if (id !== undefined) watched?.(id, false);
      resolve(output);
    });
  });
}

interface Report {
  readonly bump: Verdict;
  readonly changes: readonly {
    readonly path: string;
    readonly verdicts: readonly {
      readonly ruleId: string;
      readonly impact: Verdict;
      readonly message: string;
      readonly location?: { readonly pointer?: string };
    }[];
  }[];
}

function resultOf({ bump, changes }: Report): EngineResult {
  return {
    verdict: bump,
    findings: changes.flatMap(({ path, verdicts }) =>
      verdicts.map(({ ruleId, impact, message, location }) => ({
        rule: ruleId,
        verdict: impact,
        message,
        path,
        pointer: location?.pointer ?? path,
      })),
    ),
  };
}
