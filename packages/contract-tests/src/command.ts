import { writeFileSync } from "node:fs";
import { caseId } from "./cases/case.ts";
import { help, parseCommandLine, UsageError, type CommandLine } from "./command-line.ts";
import { progressWriter } from "./progress.ts";
import { htmlReport } from "./report/html.ts";
import { junitReport } from "./report/junit.ts";
import { textReport } from "./report/text.ts";
import { listCases, runContractTests } from "./run.ts";
import { writeStories } from "./stories/write-stories.ts";

/** The input and output of a command, passed in for tests. */
export interface CliContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean };
  /** Ends the run early; created records are removed. */
  readonly signal?: AbortSignal;
}

/** Runs one command line; returns its exit code. */
export async function runCommand(
  words: readonly string[],
  context: CliContext,
): Promise<0 | 1 | 2> {
  try {
    const command = parseCommandLine(words, context.environment);
    if (command.help) {
      context.stdout.write(help);
      return 0;
    }
    if (command.list) {
      for (const each of listCases(command.run)) context.stdout.write(`${caseId(each)}\n`);
      return 0;
    }
    if (command.arazzo !== undefined) {
      const file = writeStories(command.arazzo, command.run.seed ?? "stories");
      context.stdout.write(`${file}\n`);
      return 0;
    }
    return await test(command, context);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const hint = error instanceof UsageError ? "; see --help" : "";
    context.stderr.write(`contract-tests: ${message}${hint}\n`);
    return 2;
  }
}

async function test(command: CommandLine, context: CliContext): Promise<0 | 1 | 2> {
  const { stdout, stderr, signal } = context;
  const progress = progressWriter(stderr);
  const ends = [
    ...(signal === undefined ? [] : [signal]),
    ...(command.maxSeconds === undefined ? [] : [AbortSignal.timeout(command.maxSeconds * 1_000)]),
  ];
  const report = await runContractTests({
    ...command.run,
    signal: AbortSignal.any(ends),
    onProgress: progress.show,
  });
  progress.end();
  if (command.json !== undefined) {
    writeFileSync(command.json, `${JSON.stringify(report, null, 2)}\n`);
  }
  if (command.junit !== undefined) writeFileSync(command.junit, junitReport(report));
  if (command.html !== undefined) writeFileSync(command.html, htmlReport(report));
  stdout.write(textReport(report));
  if (signal?.aborted === true) return 2;
  return report.ok ? 0 : 1;
}
