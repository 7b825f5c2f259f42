import { readFileSync, writeFileSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import {
  help,
  parseCommandLine,
  UsageError,
  type CommandLine,
  type Format,
  type RulesCommand,
} from "./command-line.ts";
import type { Finding } from "./change.ts";
import { Effort } from "./effort.ts";
import { oneLine } from "./json.ts";
import { checkConsumers } from "./consumers/check-consumers.ts";
import { checkServers, parseSides } from "./consumers/check-servers.ts";
import { gate } from "./gate.ts";
import { noApprovals, parseApprovals, type Approval } from "./policy/approvals.ts";
import { changelogEntry } from "./policy/changelog.ts";
import { checkInside } from "./read/boundary.ts";
import { CannotJudge } from "./read/cannot-judge.ts";
import { loadDocument, type LoadOptions } from "./read/load-document.ts";
import { locationText, parseLocation, type Location } from "./read/location.ts";
import { readRegularFile, roomFor } from "./read/read-file.ts";
import { readFiles } from "./read/read-files.ts";
import { problemReport, reportOf, type Report } from "./report/model.ts";
import { explainedRule, explainedRules, explanationText, listText } from "./rules/explain.ts";
import { reports } from "./report/formats.ts";

/** The input and output of a command, passed in for tests. */
export interface Surroundings {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly folder: string;
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  /** Called with the id of each process that is started, and again when it has ended. */
  readonly watched?: (process: number, runs: boolean) => void;
  /** Called when the time limit no longer applies, because servers are tested. */
  readonly compared?: () => void;
}

/** Runs one command line; returns its exit code. */
export async function runCommand(
  words: readonly string[],
  surroundings: Surroundings,
): Promise<0 | 1 | 2> {
  try {
    const command = parseCommandLine(words);
    if (command === "help") surroundings.stdout.write(help);
    else if (command === "version") surroundings.stdout.write(`${ownVersion()}\n`);
    else if (command.kind === "rules") surroundings.stdout.write(rulesText(command));
    else return await judgeOrReport(command, surroundings);
    return 0;
  } catch (error) {
    const hint = error instanceof UsageError ? "; see --help" : "";
    surroundings.stderr.write(`spec-gate: ${reasonOf(error)}${hint}\n`);
    return 2;
  }
}

function rulesText({ explain, format }: RulesCommand): string {
  const answer = explain === undefined ? explainedRules() : explainedRule(explain);
  if (format === "json") return `${JSON.stringify(answer, null, 2)}\n`;
  return "rule" in answer ? explanationText(answer) : listText(answer);
}

/** A run without a verdict also has a report, except as text, whose reader sees the error. */
async function judgeOrReport(command: CommandLine, surroundings: Surroundings): Promise<0 | 1 | 2> {
  try {
    return await judge(command, surroundings);
  } catch (error) {
    const isExpected = error instanceof CannotJudge || error instanceof RangeError;
    const isText = command.format === "text" && command.also.length === 0;
    if (!isExpected || isText) throw error;
    const report = problemReport(command.base, command.revision, reasonOf(error));
    writeReports(command, report, surroundings, (format) => format !== "text");
    throw error;
  }
}

function writeReports(
  command: CommandLine,
  report: Report,
  { stdout }: Surroundings,
  wants: (format: Format) => boolean = () => true,
): void {
  const { format, output, also } = command;
  if (wants(format)) {
    const text = reports[format](report);
    if (output === undefined) stdout.write(text);
    else write("--output", output, text);
  }
  for (const each of also) {
    if (wants(each.format)) write("--also", each.file, reports[each.format](report));
  }
}

/** Text of documents in a message must be no line of its own, which CI systems may execute. */
function reasonOf(error: unknown): string {
  if (error instanceof CannotJudge || error instanceof UsageError) return oneLine(error.message);
  if (error instanceof RangeError && error.message.includes("call stack")) {
    return "the change could not be judged: the schemas refer to each other too deeply";
  }
  return (error instanceof Error ? error.stack : undefined) ?? String(error);
}

async function judge(command: CommandLine, surroundings: Surroundings): Promise<0 | 1 | 2> {
  const { folder, fetch, now, watched } = surroundings;
  const effort = new Effort(command.seconds, () => now().getTime());
  const today = command.today ?? now();
  const { allowRemoteReferences, referencesWithin, megabytes } = command;
  const reading: LoadOptions = {
    fetch,
    folder,
    allowRemoteReferences,
    ...(referencesWithin === undefined ? {} : { referencesWithin }),
    ...(megabytes === undefined ? {} : { megabytes }),
  };
  const approvals =
    command.approvals === undefined
      ? noApprovals
      : {
          now: parseApprovals(
            readText("--approvals", command.approvals, reading),
            command.approvals,
          ),
          before: await approvalsOfBase(command.base, command.approvals, surroundings),
        };
  const base = await loadDocument(command.base, reading);
  const revision = await loadDocument(command.revision, reading);
  effort.check();
  const sides =
    command.withServer === undefined
      ? undefined
      : parseSides(readText("--with-server", command.withServer, reading), command.withServer);
  const judgement = await gate(base, revision, {
    today,
    folder,
    approvals,
    checkVersion: command.checkVersion,
    requireSunset: command.requireSunset,
    engine: command.engine,
    effort,
    ...(watched === undefined ? {} : { watched }),
    more: [
      ...(command.consumers
        ? [(changes: readonly Finding[]) => checkConsumers(base, revision, changes)]
        : []),
      ...(sides === undefined
        ? []
        : [
            (changes: readonly Finding[]) => {
              surroundings.compared?.();
              return checkServers(sides, folder, { base, revision, changes });
            },
          ]),
    ],
  });
  const report = reportOf(judgement);
  writeReports(command, report, surroundings);
  if (command.changelog !== undefined) {
    write("--changelog", command.changelog, changelogEntry(report, today));
  }
  return report.exitCode;
}

/**
 * The approvals in the same file at the git revision of the base; empty if the file does not exist
 * there.
 */
async function approvalsOfBase(
  base: string,
  file: string,
  { folder, fetch }: Surroundings,
): Promise<readonly Approval[]> {
  const location = parseLocation(base);
  const path = relative(folder, resolve(file)).replaceAll("\\", "/");
  if (location.kind !== "git" || path.startsWith("../") || isAbsolute(path)) return [];
  const there: Location = { ...location, path: `./${path}` };
  const [read] = await readFiles([there], { fetch, folder }, roomFor());
  return read === undefined || "problem" in read
    ? []
    : parseApprovals(read.text, locationText(there));
}

function readText(option: string, file: string, options: LoadOptions): string {
  const location: Location = { kind: "file", path: resolve(file) };
  const name = `${option}: ${file}`;
  checkInside(location, name, options);
  const read = readRegularFile(location.path, roomFor(options.megabytes));
  if ("problem" in read) throw new CannotJudge(`${name} ${read.problem}`);
  return read.text;
}

function write(option: string, file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new CannotJudge(`${option}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function ownVersion(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
