import { writeFileSync } from "node:fs";
import { caseId } from "./cases/case.ts";
import { help, parseCommandLine, UsageError, type CommandLine } from "./command-line.ts";
import { junitReport } from "./report/junit.ts";
import { textReport } from "./report/text.ts";
import type { Progress } from "./cases/run-cases.ts";
import { listCases, runContractTests } from "./run.ts";

/** What a command reads and writes, passed in so that tests can watch. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean };
  /** Ends the run early; what it made is removed. */
  readonly signal?: AbortSignal;
}

/** Runs one command line; gives its exit code. */
export async function runCommand(
  words: readonly string[],
  surroundings: Surroundings,
): Promise<0 | 1 | 2> {
  try {
    const command = parseCommandLine(words, surroundings.environment);
    if (command.help) {
      surroundings.stdout.write(help);
      return 0;
    }
    if (command.list) {
      for (const each of listCases(command.run)) surroundings.stdout.write(`${caseId(each)}\n`);
      return 0;
    }
    return await test(command, surroundings);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : "";
    const hint = error instanceof UsageError ? "; see --help" : "";
    surroundings.stderr.write(
      `contract-tests: ${message}${cause === "" ? "" : `: ${cause}`}${hint}\n`,
    );
    return 2;
  }
}

async function test(command: CommandLine, surroundings: Surroundings): Promise<0 | 1> {
  const { stdout, stderr, signal } = surroundings;
  const report = await runContractTests({
    ...command.run,
    ...(signal === undefined ? {} : { signal }),
    ...(stderr.isTTY === true ? { onProgress: showProgress(stderr) } : {}),
  });
  if (stderr.isTTY === true) stderr.write("\r\u001b[K");
  if (command.json !== undefined) {
    writeFileSync(command.json, `${JSON.stringify(report, null, 2)}\n`);
  }
  if (command.junit !== undefined) writeFileSync(command.junit, junitReport(report));
  stdout.write(textReport(report));
  return report.ok ? 0 : 1;
}

/** One line that is written over and over. */
const showProgress =
  (stderr: Surroundings["stderr"]) =>
  ({ done, total, failed, last }: Progress): void => {
    stderr.write(`\r\u001b[K${done}/${total}, ${failed} failed: ${last.id.slice(0, 60)}`);
  };
