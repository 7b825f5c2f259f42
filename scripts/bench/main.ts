import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { commitOf } from "./against.ts";
import { met } from "./measure.ts";

const help = `npm run bench -- [--json FILE] [--only PATTERN] [--against REVISION] [--quick]

Builds the project, and compares the platform with its own engine, a bare HTTP route and a mock server, all
in this run. Prints ratios. Absolute figures depend on the machine; ratios much less so.

  --json FILE      also write the results as JSON
  --only PATTERN   only the scenarios whose name matches this regular expression
  --against REVISION
                   builds this revision, too, and prints the ratio of every line to its line: above 1 is better
  --sizes LIST     numbers of records of the cost curves, from 1000 up (default: 1000,10000,100000)
  --figure FILE    also draw the cost curves as SVG
  --quick          shorter runs and a tenth of the records: for testing the bench itself
  --help           this text

Exit code 1 if a figure misses its target, or with --against if a line is below 0.90; 2 for wrong options.
`;

process.setMaxListeners(100);
const options = readOptions();
if (options === undefined) process.exitCode = 2;
else if (options.help) process.stdout.write(help);
else if (build()) await bench(options);

interface Options {
  readonly help: boolean;
  readonly quick: boolean;
  readonly only: RegExp;
  readonly json?: string | undefined;
  readonly against?: string | undefined;
  readonly sizes: readonly number[];
  readonly figure?: string | undefined;
}

function readOptions(): Options | undefined {
  try {
    const { values } = parseArgs({
      options: {
        json: { type: "string" },
        against: { type: "string" },
        only: { type: "string", default: "" },
        sizes: { type: "string", default: "1000,10000,100000" },
        figure: { type: "string" },
        quick: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const { against } = values;
    if (against !== undefined && commitOf(against) === undefined) {
      throw new Error(`no commit ${against}; use a name or hash that git rev-parse knows`);
    }
    return { ...values, only: new RegExp(values.only), sizes: readSizes(values.sizes) };
  } catch (error) {
    console.error(`bench: ${(error as Error).message}`);
    return undefined;
  }
}

function readSizes(text: string): readonly number[] {
  const sizes = text.split(",").map(Number);
  if (!sizes.every((size) => Number.isInteger(size) && size >= 1_000)) {
    throw new Error(`--sizes: expected integers from 1000 up, separated by commas, got "${text}"`);
  }
  return sizes.toSorted((one, other) => one - other);
}

function build(): boolean {
  const turbo = fileURLToPath(new URL("../../node_modules/turbo/bin/turbo", import.meta.url));
  const words = ["run", "build", "--output-logs=errors-only"];
  const { status } = spawnSync(process.execPath, [turbo, ...words], { stdio: "inherit" });
  process.exitCode = status ?? 1;
  return status === 0;
}

/** The scenarios use what the build makes. */
async function bench({ only, quick, json, against, sizes, figure }: Options): Promise<void> {
  const { scenarios } = await import("./scenarios.ts");
  const { runAll, report } = await import("./run.ts");
  const chosen = scenarios.filter(({ name }) => only.test(name));
  if (chosen.length === 0) {
    const names = scenarios.map(({ name }) => `  ${name}`).join("\n");
    console.error(`bench: no scenario matches ${only.source}; the scenarios are:\n${names}`);
    process.exitCode = 2;
    return;
  }
  if (against !== undefined) {
    const { benchAgainst, isSlower, reportAgainst } = await import("./against.ts");
    const names = chosen.map(({ name }) => name);
    const compared = benchAgainst({ revision: against, chosen: names, quick });
    process.stdout.write(`\n${reportAgainst(compared, against)}`);
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(compared, null, 2)}\n`);
    if (compared.some(isSlower)) process.exitCode = 1;
    return;
  }
  const results = await runAll(chosen, { quick, sizes, figure });
  process.stdout.write(`\n${report(results)}`);
  if (json !== undefined) {
    writeFileSync(json, `${JSON.stringify({ node: process.version, results }, null, 2)}\n`);
  }
  if (!results.every(met)) process.exitCode = 1;
}
