/** Runs the Python samples of the operations' pages with FalconPy against a server with `--compat`. */
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { operations, type Operation } from "@security-platform/spec";
import { beforeAll, describe, expect, test } from "vitest";
import { clientVersions } from "../scripts/other-clients/calls.ts";
import { operationPlace } from "../scripts/reference/places.ts";
import { sampleInput } from "../scripts/reference/sample-input.ts";
import { blocksOf } from "../scripts/samples/blocks.ts";
import { docsFolder } from "./support/places.ts";
import { isAboutRecords } from "./support/outcomes.ts";
import { servePlatform } from "./support/platform.ts";
import { demoFolder } from "../../packages/cli/src/testing/prepared-folder.ts";

interface Outcome {
  readonly id: string;
  readonly status?: number;
  readonly errors?: readonly { readonly code: number; readonly id?: string }[];
  /** The exception of a sample that failed in Python. */
  readonly failure?: string;
}

const folder = join(docsFolder, "generated/runs/falconpy");
const python = process.env["PYTHON"] ?? "python3";

/** The version of FalconPy that this machine has. */
const installed = spawnSync(python, ["-c", "import falconpy; print(falconpy.version())"], {
  encoding: "utf8",
}).stdout?.trim();

const samples = new Map(
  operations().flatMap((operation) => {
    const page = join(docsFolder, "generated/reference", `${operationPlace(operation)}.md`);
    const sample = blocksOf(readFileSync(page, "utf8")).find(({ title }) => title === "Python");
    return sample === undefined
      ? []
      : [[operation.id, { program: sample.text, file: fileOf(operation) }] as const];
  }),
);

test("most operations have a Python sample", () => {
  expect(samples.size).toBeGreaterThan(240);
});

describe.skipIf(installed !== clientVersions.falconpy)(
  `the Python sample of an operation's page (pip install -r examples/pytest/requirements.txt)`,
  () => {
    let outcomes: ReadonlyMap<string, Outcome>;

    beforeAll(async () => {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      await demoFolder(folder);
      const limits = ["--token-rate-limit", "0", "--rate-limit", "0", "--no-docs"];
      const platform = await servePlatform(folder, [...limits, "--compat"]);
      try {
        outcomes = await run({
          BASE_URL: platform.url,
          CLIENT_ID: platform.clientId,
          CLIENT_SECRET: platform.clientSecret,
        });
      } finally {
        await platform.stop();
      }
    });

    test.each([...samples.keys()])("calls %s", (id) => {
      const { status = 0, errors = [], failure } = outcomes.get(id) ?? {};
      // Reading several records reports those that are missing beside those that are there.
      if (status >= 200 && status < 300 && errors.every(({ code }) => code === 404)) return;
      expect(isAboutRecords(status, errors), failure ?? JSON.stringify({ status, errors })).toBe(
        true,
      );
    });
  },
);

/** The content of the file that the sample uploads. */
function fileOf(operation: Operation): string | null {
  const { body } = sampleInput(operation);
  if (body === null) return null;
  const [member] = body.files;
  return member === undefined ? null : String((body.value as Record<string, unknown>)[member]);
}

/** Runs all samples in one process of Python, which loads FalconPy once. */
async function run(environment: NodeJS.ProcessEnv): Promise<ReadonlyMap<string, Outcome>> {
  const runner = join(docsFolder, "tests/support/run_samples.py");
  const running = promisify(execFile)(python, [runner], {
    cwd: folder,
    env: { ...process.env, ...environment },
    maxBuffer: 64 * 1_024 * 1_024,
  });
  running.child.stdin?.end(JSON.stringify(Object.fromEntries(samples)));
  const { stdout } = await running;
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Outcome);
  return new Map(lines.map((outcome) => [outcome.id, outcome]));
}
