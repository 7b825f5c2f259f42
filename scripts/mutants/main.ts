/** Plants small faults in a copy of the checkout, one after the other, and checks that tests notice each. */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { copyCheckout, newFolder } from "./copy.ts";
import { nameOf, problemsOf, type GroupedFault } from "./fault.ts";
import { faults } from "./faults/index.ts";
import { runTests, stopTests, type Outcome } from "./run-tests.ts";

const help = `npm run mutants -- [--only PATTERN] [--list]

Plants small faults in a copy of the checkout, one after the other, and runs the tests that must notice each:
those of the named files without the tag exhaustive. Prints one line for each fault.

  --only PATTERN   only the faults whose group, file or description matches this regular expression
  --list           prints the faults and their tests
  --help           this text

Exit code 1 if a fault escapes, if its text is gone from the source, or if a test fails without a fault; 2 for
wrong options.
`;

const root = fileURLToPath(new URL("../..", import.meta.url));

const limitMilliseconds = 60_000 * Number(process.env["TEST_TIME_FACTOR"] ?? 1);

/** For all tests of the chosen faults together, without a fault. */
const cleanMilliseconds = 20 * limitMilliseconds;

const options = readOptions();
if (options === undefined) process.exitCode = 2;
else if (options.help) process.stdout.write(help);
else {
  const chosen = faults.filter((fault) => options.only.test(`${fault.file} ${nameOf(fault)}`));
  if (chosen.length === 0) {
    console.error(
      `mutants: no fault matches ${options.only.source}; the groups are ${[...new Set(faults.map(({ group }) => group))].join(", ")}`,
    );
    process.exitCode = 2;
  } else if (options.list) list(chosen);
  else process.exitCode = (await plantAll(chosen)) ? 0 : 1;
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: "string", default: "" },
        list: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    return { ...values, only: new RegExp(values.only, "i") };
  } catch (error) {
    console.error(`mutants: ${(error as Error).message}`);
    return undefined;
  }
}

function list(chosen: readonly GroupedFault[]): void {
  for (const fault of chosen) {
    console.log(`${nameOf(fault)}\n  ${fault.file}\n  ${fault.tests.join("\n  ")}`);
  }
}

/** Whether the tests caught every fault. */
async function plantAll(chosen: readonly GroupedFault[]): Promise<boolean> {
  const problems = chosen.flatMap((fault) => problemsOf(fault, root));
  if (problems.length > 0) {
    console.error(problems.map((problem) => `mutants: ${problem}`).join("\n"));
    return false;
  }
  if (!generate()) return false;
  const folder = newFolder();
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      stopTests();
      process.exit(128 + constants.signals[signal]);
    });
  }
  copyCheckout(root, folder);
  return (await passWithoutFault(chosen, folder)) && (await catchEach(chosen, folder));
}

/** Updates the code that is generated from the document, which the copy contains. */
function generate(): boolean {
  const turbo = join(root, "node_modules/turbo/bin/turbo");
  const words = ["run", "generate", "--filter=./packages/*", "--output-logs=errors-only"];
  return (
    spawnSync(process.execPath, [turbo, ...words], { stdio: "inherit", cwd: root }).status === 0
  );
}

/** A test that fails anyway would seem to catch every fault. */
async function passWithoutFault(chosen: readonly GroupedFault[], folder: string): Promise<boolean> {
  const tests = [...new Set(chosen.flatMap((fault) => fault.tests))];
  const clean = await runTests(folder, tests, cleanMilliseconds);
  if (clean.kind === "passed") return true;
  console.error(`mutants: the tests do not pass without a fault: ${describe(clean)}`);
  return false;
}

async function catchEach(chosen: readonly GroupedFault[], folder: string): Promise<boolean> {
  const escaped: string[] = [];
  const counts = new Map<string, { caught: number; planted: number }>();
  for (const fault of chosen) {
    const path = join(folder, fault.file);
    const source = readFileSync(path, "utf8");
    const began = performance.now();
    let outcome: Outcome;
    try {
      writeFileSync(
        path,
        source.replace(fault.text, () => fault.replacement),
      );
      outcome = await runTests(folder, fault.tests, limitMilliseconds);
    } finally {
      writeFileSync(path, source);
    }
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    const count = counts.get(fault.group) ?? { caught: 0, planted: 0 };
    counts.set(fault.group, count);
    count.planted += 1;
    if (outcome.kind === "failed") {
      count.caught += 1;
      console.log(`caught in ${seconds} s  ${nameOf(fault)}, by ${outcome.what}`);
    } else {
      escaped.push(nameOf(fault));
      console.log(
        `ESCAPED in ${seconds} s  ${nameOf(fault)} (${fault.file}): ${describe(outcome)}`,
      );
    }
  }
  console.log();
  for (const [group, { caught, planted }] of counts) {
    console.log(`${group.padEnd(22)} ${caught} of ${planted} caught`);
  }
  const caught = chosen.length - escaped.length;
  console.log(`${"all".padEnd(22)} ${caught} of ${chosen.length} caught`);
  for (const name of escaped) console.log(`ESCAPED ${name}`);
  return escaped.length === 0;
}

function describe(outcome: Outcome): string {
  switch (outcome.kind) {
    case "passed":
      return "the tests pass";
    case "late":
      return "the tests do not end in time";
    default:
      return outcome.kind === "broken" ? `does not run: ${outcome.what}` : outcome.what;
  }
}
