import { existsSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import {
  help,
  parseCommandLine,
  UsageError,
  wantedReports,
  type CommandLine,
  type Format,
  type GitDiffCommand,
  type RulesCommand,
} from "./command-line.ts";
import { changelogText } from "./changelog.ts";
import type { Finding } from "./change.ts";
import { Effort } from "./effort.ts";
import { oneLine } from "./json.ts";
import { checkConsumers } from "./consumers/check-consumers.ts";
import { checkServers, parseSides } from "./consumers/check-servers.ts";
import { gate } from "./gate.ts";
import {
  isOver,
  noApprovals,
  parseApprovals,
  withEntries,
  type Approval,
} from "./policy/approvals.ts";
import { fromFolder, settingsBeside, settingsIn, type Settings } from "./policy/settings-file.ts";
import { changelogEntry } from "./report/changelog.ts";
import { checkInside } from "./read/boundary.ts";
import { CannotJudge } from "./read/cannot-judge.ts";
import { loadDocument, type LoadOptions } from "./read/load-document.ts";
import type { LoadedDocument } from "./read/loaded-document.ts";
import { locationText, parseLocation, type Location } from "./read/location.ts";
import { readRegularFile, roomFor, type FileText, type Room } from "./read/read-file.ts";
import { readFiles } from "./read/read-files.ts";
import { combinedReport } from "./report/combine.ts";
import { counted, problemReport, reportOf, type Report } from "./report/model.ts";
import { isBreaking, type Judgement } from "./report/report.ts";
import { explainedRule, explainedRules, explanationText, listText } from "./rules/explain.ts";
import { reports } from "./report/formats.ts";
import { writeProblem, writeText } from "./write-file.ts";

/** The input and output of a command, passed in for tests. */
export interface Surroundings {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly folder: string;
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  /** Reads the document `-`; by default the input of the process. */
  readonly standardInput?: (room: Room) => FileText;
  /** Called when the time limit no longer applies, because servers are tested. */
  readonly compared?: () => void;
}

/** Runs one command line; returns its exit code. */
export async function runCommand(
  words: readonly string[],
  surroundings: Surroundings,
): Promise<0 | 1 | 2> {
  const { folder } = surroundings;
  try {
    const command = parseCommandLine(words, (path) => existsSync(resolve(folder, path)));
    if (command === "help") surroundings.stdout.write(help);
    else if (command === "version") surroundings.stdout.write(`${ownVersion()}\n`);
    else if (command.kind === "rules") surroundings.stdout.write(rulesText(command));
    else if (command.kind === "git-diff") {
      surroundings.stdout.write(await gitDiffText(command, surroundings));
    } else if (command.kind === "changelog") {
      const { fetch } = surroundings;
      checkWritable("--output", command.output);
      const text = await changelogText(command, { fetch, folder });
      if (command.output === undefined) surroundings.stdout.write(text);
      else writeText("--output", command.output, text);
    } else {
      requireWritable(command, command.documents);
      return await judge(command, surroundings);
    }
    return 0;
  } catch (error) {
    if (isExpected(error)) reportProblem(words, reasonOf(error), surroundings);
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

/**
 * The report for a diff driver of git. Git takes another exit code than 0 for a failure of the driver.
 * Files that the document refers to are those of the work tree.
 */
async function gitDiffText(
  { path, oldFile, newFile }: GitDiffCommand,
  { fetch, folder, now }: Surroundings,
): Promise<string> {
  const options: LoadOptions = { fetch, folder };
  const load = (side: string, file: string): Promise<LoadedDocument> => {
    const name = `${side}/${path}`;
    if (file === "/dev/null") return loadDocument(path, options, { name, text: noDocument });
    const read = readRegularFile(resolve(folder, file), roomFor());
    if ("problem" in read) throw new CannotJudge(`${file} ${read.problem}`);
    return loadDocument(path, options, { name, ...read });
  };
  try {
    const [base, revision] = [await load("a", oldFile), await load("b", newFile)];
    return reports.text(reportOf(await gate(base, revision, { today: now(), folder })));
  } catch (error) {
    if (!isExpected(error)) throw error;
    return `spec-gate: ${reasonOf(error)}\n`;
  }
}

/** What a new document is compared with. */
const noDocument = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "No document", version: "0.0.0" },
  paths: {},
});

/** A run without a verdict also has a report, except as text, whose reader sees the error. */
export function reportProblem(
  words: readonly string[],
  reason: string,
  surroundings: Pick<Surroundings, "stdout">,
): void {
  const wanted = wantedReports(words);
  if (wanted === undefined) return;
  const [{ base, revision } = { base: "", revision: "spec-gate.yaml" }] = wanted.documents;
  const report = problemReport(base, revision, reason);
  writeReports(
    isWritable(wanted) ? wanted : { ...wanted, output: undefined, also: [] },
    report,
    surroundings,
    (format) => format !== "text",
  );
}

function isWritable(wanted: NonNullable<ReturnType<typeof wantedReports>>): boolean {
  try {
    requireWritable({ ...wanted, changelog: undefined }, wanted.documents);
    return true;
  } catch {
    return false;
  }
}

/** Throws if a file to write is one that is read, which would be lost, or cannot be written. */
function requireWritable(
  {
    output,
    also,
    changelog,
    config,
    approvals,
  }: Pick<CommandLine, "output" | "also" | "changelog" | "config" | "approvals">,
  documents: CommandLine["documents"],
): void {
  const read = new Set(
    [...documents.flatMap(({ base, revision }) => [base, revision]), config, approvals].flatMap(
      (each) => (each === undefined ? [] : [resolve(each)]),
    ),
  );
  const written = [
    ["--output", output],
    ["--changelog", changelog],
    ...also.map(({ file }) => ["--also", file] as const),
  ] as const;
  for (const [option, file] of written) {
    if (file !== undefined && read.has(resolve(file))) {
      throw new UsageError(`${option}: expected a file that is not read, got ${file}`);
    }
    checkWritable(option, file);
  }
}

function checkWritable(option: string, file: string | undefined): void {
  const problem = file === undefined ? undefined : writeProblem(file);
  if (problem !== undefined) throw new UsageError(`${option}: ${file} ${problem}`);
}

const isExpected = (error: unknown): boolean =>
  error instanceof CannotJudge || error instanceof UsageError || error instanceof RangeError;

function writeReports(
  command: Pick<CommandLine, "format" | "output" | "also">,
  report: Report,
  { stdout }: Pick<Surroundings, "stdout">,
  wants: (format: Format) => boolean = () => true,
): void {
  const { format, output, also } = command;
  if (wants(format)) {
    const text = reports[format](report);
    if (output === undefined) stdout.write(text);
    else writeText("--output", output, text);
  }
  for (const each of also) {
    if (wants(each.format)) writeText("--also", each.file, reports[each.format](report));
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

interface Documents {
  readonly base: string;
  readonly revision: string;
}

/** A run: its command line with the settings of its configuration. */
interface Run {
  readonly command: CommandLine;
  readonly surroundings: Surroundings;
  readonly settings: Settings;
  readonly today: Date;
  readonly reading: LoadOptions;
  readonly effort: Effort;
  readonly approvals: string | undefined;
}

async function judge(command: CommandLine, surroundings: Surroundings): Promise<0 | 1 | 2> {
  const { folder, fetch, now, standardInput } = surroundings;
  const { allowRemoteReferences, referencesWithin, megabytes } = command;
  const options: LoadOptions = {
    fetch,
    folder,
    allowRemoteReferences,
    ...(referencesWithin === undefined ? {} : { referencesWithin }),
    ...(megabytes === undefined ? {} : { megabytes }),
    ...(standardInput === undefined ? {} : { standardInput }),
  };
  if (referencesWithin !== undefined && !existsSync(resolve(folder, referencesWithin))) {
    throw new UsageError(`--refs-within: the folder ${referencesWithin} does not exist`);
  }
  const [first] = command.documents;
  const file =
    command.config ??
    (first === undefined ? settingsIn(folder) : settingsBeside(first.revision, folder));
  // Only a run with a configuration needs the validator.
  const settings: Settings =
    file === undefined
      ? {}
      : (await import("./policy/settings.ts")).parseSettings(
          readText("--config", file, options),
          relative(folder, resolve(file)) || file,
        );
  const home = file === undefined ? folder : dirname(resolve(file));
  const named = (settings.documents ?? []).map(({ base, revision }) => ({
    base: fromFolder(base, home),
    revision: fromFolder(revision, home),
  }));
  const documents = command.documents.length === 0 ? named : command.documents;
  if (documents.length === 0) {
    throw new UsageError(
      file === undefined
        ? "expected two documents, BASE and REVISION, or a file spec-gate.yaml with documents"
        : `expected two documents, BASE and REVISION, or documents in ${file}`,
    );
  }
  requireWritable(command, documents);
  const run: Run = {
    command,
    surroundings,
    settings,
    today: command.today ?? now(),
    reading: { ...options, withoutExtensions: settings.leaveOut?.extensions ?? [] },
    effort: new Effort(command.seconds, () => now().getTime()),
    approvals:
      command.approvals ??
      (settings.approvals === undefined ? undefined : fromFolder(settings.approvals, home)),
  };
  if (command.approve !== undefined && run.approvals === undefined) {
    throw new UsageError("--approve: expected --approvals FILE, the file to write to");
  }
  if (command.approve !== undefined) checkWritable("--approve", run.approvals);
  if (command.approve !== undefined && isOver(command.approve.expiry, run.today)) {
    throw new UsageError(
      `--expiry: expected a day that is not past, got ${command.approve.expiry}`,
    );
  }
  const judgements: Judgement[] = [];
  const problems: Report[] = [];
  for (const each of documents) {
    try {
      judgements.push(await judgeDocument(each, run));
    } catch (error) {
      if (documents.length === 1 || !isExpected(error)) throw error;
      surroundings.stderr.write(`spec-gate: ${reasonOf(error)}\n`);
      problems.push(problemReport(each.base, each.revision, reasonOf(error)));
    }
  }
  const noted = problems.length > 0 ? judgements : withUnusedSettings(judgements);
  const judged = [...approve(noted, run).map(reportOf), ...problems];
  const report = combinedReport(judged);
  writeReports(command, report, surroundings);
  if (command.changelog !== undefined) {
    writeText("--changelog", command.changelog, changelogEntry(report, run.today));
  }
  return report.exitCode;
}

/** Settings that match nothing in any document become notes. */
function withUnusedSettings(judgements: readonly Judgement[]): readonly Judgement[] {
  const [first, ...more] = judgements;
  if (first === undefined) return judgements;
  const unused = first.unusedSettings.filter((note) =>
    // The nearest name differs by document.
    more.every((each) =>
      each.unusedSettings.some((other) => other.split("; ")[0] === note.split("; ")[0]),
    ),
  );
  return [{ ...first, notes: [...first.notes, ...unused] }, ...more];
}

async function judgeDocument(documents: Documents, run: Run): Promise<Judgement> {
  const { command, surroundings, settings, today, reading, effort } = run;
  const { folder } = surroundings;
  const approvals =
    run.approvals === undefined
      ? noApprovals
      : {
          now: parseApprovals(approvalsText(run, run.approvals), run.approvals),
          before: await approvalsOfBase(documents.base, run.approvals, surroundings),
        };
  const base = await loadDocument(documents.base, reading);
  const revision = await loadDocument(documents.revision, reading);
  effort.check();
  const sides =
    command.withServer === undefined
      ? undefined
      : parseSides(readText("--with-server", command.withServer, reading), command.withServer);
  return gate(base, revision, {
    today,
    folder,
    approvals,
    checkVersion: command.checkVersion || settings.version?.check === true,
    zeroMayBreak: settings.version?.zeroMayBreak ?? true,
    requireSunset: command.requireSunset || settings.deprecation?.requireSunset === true,
    severities: settings.severities,
    scope: { ...settings.leaveOut, stripPrefixes: settings.stripPrefixes ?? [] },
    effort,
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
}

/** A file that --approve is to write may not exist yet. */
function approvalsText({ command, reading }: Run, file: string): string {
  return command.approve !== undefined && !existsSync(file)
    ? ""
    : readText("--approvals", file, reading);
}

/** Writes approvals of the breaking changes, and returns the judgements with them. */
function approve(judgements: readonly Judgement[], run: Run): readonly Judgement[] {
  const { command, approvals: file } = run;
  if (command.approve === undefined || file === undefined) return judgements;
  const entries = new Map<string, Approval>();
  const approved = judgements.map((judgement): Judgement => {
    const all = new Map(judgement.approved);
    for (const finding of judgement.changes) {
      if (!isBreaking(judgement, finding)) continue;
      const { rule, place } = finding;
      const key = `${rule} ${place}`;
      const entry = entries.get(key) ?? { rule, place, ...command.approve };
      entries.set(key, entry as Approval);
      all.set(finding, entry as Approval);
    }
    return { ...judgement, approved: all };
  });
  if (entries.size === 0) return judgements;
  const text = withEntries(approvalsText(run, file), file, [...entries.values()]);
  writeText("--approve", file, text);
  const note = `${counted(entries.size, "approval")} written to ${file}`;
  return approved.map((each, index) =>
    index === 0 ? { ...each, notes: [...each.notes, note] } : each,
  );
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

/** What to do if the file of an option does not exist. */
const cures: Readonly<Record<string, string>> = {
  "--approvals": "create it, or write it with --approve",
  "--config": "create it, or leave the option out to use spec-gate.yaml beside the new document",
  "--with-server": "create it as a JSON file with old and new",
};

function readText(option: string, file: string, options: LoadOptions): string {
  const location: Location = { kind: "file", path: resolve(file) };
  const name = `${option}: ${file}`;
  checkInside(location, name, options);
  const read = readRegularFile(location.path, roomFor(options.megabytes));
  if ("problem" in read) {
    const cure = read.problem === "does not exist" ? `; ${cures[option] ?? ""}` : "";
    throw new CannotJudge(`${name} ${read.problem}${cure}`);
  }
  if (read.notUtf8 !== undefined) {
    throw new CannotJudge(`${name}:${read.notUtf8}; save the file as UTF-8`);
  }
  return read.text;
}

function ownVersion(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
