/** Lets Stryker change the sources of some rooms in a copy of the checkout, and prints which changes no test notices. */
import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { copyCheckout, newFolder } from "../mutants/copy.ts";
import { parts, type Part } from "./parts.ts";

const help = `npm run mutation -- [--part NAME]... [--mutate GLOB] [--again]

Lets Stryker change the sources of each part, one operator or statement at a time, in a copy of the checkout. Prints
the changes that no test notices, and the score. Tests with the tag exhaustive are left out.

  --part NAME     only this part: ${parts.map(({ name }) => name).join(", ")}
  --mutate GLOB   only these files, from the part's package: src/records/list.ts
  --again         tests every change; else only those of which the file or the tests differ from the last run
  --help          this text

Exit code 1 if Stryker fails, for example because a test fails without a change; 2 for wrong options.
`;

const root = fileURLToPath(new URL("../..", import.meta.url));
const stryker = join(import.meta.dirname, "node_modules/@stryker-mutator/core/bin/stryker.js");

/** What Stryker remembers of the last run. */
const remembered = join(root, "node_modules/.cache/mutation");

const common = {
  testRunner: "vitest",
  // The workers take options of V8 that threads refuse.
  vitest: { configFile: "../../scripts/mutation/vitest.config.ts", pool: "forks" },
  coverageAnalysis: "perTest",
  // A test finds files of the repository by its own place, so the changes are made in the copy itself.
  inPlace: true,
  disableTypeChecks: false,
  incremental: true,
  concurrency: 2,
  timeoutMS: 5_000,
  reporters: ["clear-text", "progress"],
  clearTextReporter: { logTests: false, reportTests: false },
};

const options = readOptions();
if (options === undefined) process.exitCode = 2;
else if (options.help) process.stdout.write(help);
else process.exitCode = (await changeAll(options)) ? 0 : 1;

interface Options {
  readonly chosen: readonly Part[];
  readonly mutate: string | undefined;
  readonly again: boolean;
  readonly help: boolean;
}

function readOptions(): Options | undefined {
  try {
    const { values } = parseArgs({
      options: {
        part: { type: "string", multiple: true, default: parts.map(({ name }) => name) },
        mutate: { type: "string" },
        again: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const unknown = values.part.find((name) => parts.every((part) => part.name !== name));
    if (unknown !== undefined) {
      const known = parts.map(({ name }) => name).join(", ");
      throw new Error(`--part ${unknown} is none of the parts ${known}`);
    }
    if (values.mutate !== undefined && values.part.length !== 1) {
      throw new Error("--mutate needs one --part, because its files are those of one package");
    }
    return {
      chosen: parts.filter(({ name }) => values.part.includes(name)),
      mutate: values.mutate,
      again: values.again,
      help: values.help,
    };
  } catch (error) {
    console.error(`mutation: ${(error as Error).message}`);
    return undefined;
  }
}

/** Whether Stryker could test the changes of every part. */
async function changeAll({ chosen, mutate, again }: Options): Promise<boolean> {
  mkdirSync(remembered, { recursive: true });
  const folder = newFolder();
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  copyCheckout(root, folder);
  let isComplete = true;
  for (const part of chosen) {
    console.log(`\n${part.name}`);
    const files = mutate === undefined ? part.mutate : [mutate];
    if (!(await change(folder, part, files, again))) isComplete = false;
  }
  return isComplete;
}

/** Stryker writes all changes of a part into its files at once; a test run switches one of them on. */
async function change(
  folder: string,
  part: Part,
  files: readonly string[],
  again: boolean,
): Promise<boolean> {
  const configuration = join(folder, part.place, "stryker.json");
  writeFileSync(
    configuration,
    JSON.stringify({
      ...common,
      ignoreStatic: part.hooksRunIt ?? false,
      mutate: [...files, "!**/*.test.ts"],
      incrementalFile: join(remembered, `${part.name}.json`),
      force: again,
    }),
  );
  const child = spawn(process.execPath, [stryker, "run", configuration], {
    cwd: join(folder, part.place),
    stdio: "inherit",
    env: { ...process.env, MUTATION_TESTS: JSON.stringify(part.tests) },
  });
  const stop = (signal: NodeJS.Signals): void => {
    child.once("close", () => process.exit(128 + constants.signals[signal]));
    child.kill(signal);
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  process.off("SIGINT", stop).off("SIGTERM", stop);
  return status === 0;
}
