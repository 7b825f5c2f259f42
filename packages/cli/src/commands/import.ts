import { join, resolve } from "node:path";
import {
  filesBelow,
  importKinds,
  importRecords,
  systemClock,
  type ImportFiles,
  type ImportKind,
  type Store,
} from "@security-platform/server/internal";
import { Argument, type Command } from "commander";
import { withStore } from "../database/open.ts";
import { addFilesOption, openFiles, type FilesOptions } from "../database/files.ts";
import { addDatabaseOptions } from "../database/options.ts";
import { openDocuments, type Documents } from "../input/documents.ts";
import { readChoice } from "../options/read-choice.ts";
import { jsonOption, tenantOption } from "../options/shared.ts";
import { chosenTenant } from "../tenants.ts";
import { printResult, type ResultOptions } from "../terminal/print-result.ts";
import { describeError } from "../terminal/describe-error.ts";
import { CommandError, exitCodes, SilentExit } from "../terminal/exit-codes.ts";
import { interruptible, shortPatience } from "../terminal/interruptible.ts";
import { printable } from "../terminal/printable.ts";
import { Progress } from "../terminal/progress.ts";
import type { CliContext } from "../terminal/cli-context.ts";

interface ImportOptions extends FilesOptions, ResultOptions {
  readonly tenant?: string;
  readonly update?: boolean;
}

type ImportOutcome = Awaited<ReturnType<typeof importRecords>>;

const shownProblems = 20;
/** File name of the list of files in a folder. */
const listName = "manifest.ndjson";

export function addImportCommand(program: Command, context: CliContext): void {
  const command = program
    .command("import")
    .description(
      "Import records from NDJSON, one JSON object per line, from a .json file with one object, or from a " +
        ".zip archive of such files. Every object is validated. Existing records are not changed, so " +
        "an interrupted import can be repeated. With --update, they are replaced. Files to download " +
        `are in a folder, which describes them in its ${listName}.`,
    )
    .addArgument(
      new Argument("<kind>", `kind of records: ${importKinds.join(", ")}`).argParser(
        readChoice(importKinds),
      ),
    )
    .argument("<file>", "the file, or for downloads the folder; - reads standard input")
    .option("--update", "replace existing records that differ")
    .addOption(tenantOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  secplat import indicators indicators.ndjson
  secplat import hosts hosts.ndjson --update
  secplat import downloads releases/
  secplat import osv all.zip --update
  gunzip -c executions.ndjson.gz | secplat import executions - --tenant "Harbour Demo"

The exit code is ${exitCodes.partial} if lines were rejected; standard error lists each as file:line: reason.`,
    );
  const withOptions = addFilesOption(addDatabaseOptions(command));
  withOptions.action((kind: ImportKind, file: string, options: ImportOptions) => {
    const folderOptions = kind === "downloads" ? openFolder(file, options, context) : {};
    const input = openDocuments(kind === "downloads" ? join(file, listName) : file, context);
    const read = { lines: 0 };
    const interrupted = {
      state: () =>
        read.lines === 0
          ? "run the command again to import the lines"
          : `the first ${read.lines} lines are imported; run the command again to continue after them`,
      patience: shortPatience,
    };
    const runImport = (signal: AbortSignal): Promise<void> =>
      withStore({ ...options, create: false }, context, async (store) => {
        const { cid, name } = await chosenTenant(store, options, context);
        const { update = false } = options;
        const importing = { cid, kind, update, input, read, signal, ...folderOptions };
        const outcome = await importInput(store, importing, context);
        printResult(context, options, { kind, cid, ...outcome }, () =>
          summaryOf(outcome, name, update),
        );
        reportProblems(outcome, input.name, context);
      });
    return interruptible(context, interrupted, runImport);
  });
}

function summaryOf(
  { imported, updated, unchanged, rejected }: ImportOutcome,
  tenant: string,
  update: boolean,
): string {
  const replaced = update ? `${updated} updated, ` : "";
  return `${imported} imported into ${printable(tenant)}, ${replaced}${unchanged} unchanged, ${rejected} rejected\n`;
}

interface Importing {
  readonly cid: string;
  readonly kind: ImportKind;
  readonly update: boolean;
  readonly input: Documents;
  /** How far the import is. */
  readonly read: { lines: number };
  readonly signal: AbortSignal;
  readonly files?: ImportFiles;
}

/** Opens the folder of an import with files. */
const openFolder = (
  folder: string,
  options: ImportOptions,
  context: CliContext,
): { readonly files: ImportFiles } => ({
  files: filesBelow(resolve(context.workingFolder, folder), openFiles(options, context)),
});

async function importInput(
  store: Store,
  { input, read, signal, ...importing }: Importing,
  { stderr }: CliContext,
): Promise<ImportOutcome> {
  const progress = new Progress(stderr, `importing ${importing.kind}`, { signal });
  let bytes = 0;
  const lines = input.read({
    onBytes: (count) => {
      bytes = count;
    },
  });
  const onProgress = ({ lines: done }: { readonly lines: number }): void => {
    read.lines = done;
    progress.update(done, input.size === null ? null : bytes / input.size);
  };
  let followUp: Progress | undefined;
  const onFinishProgress = (finishing: { readonly work: string; readonly done: number }): void => {
    progress.end();
    followUp ??= new Progress(stderr, finishing.work, { signal });
    followUp.update(finishing.done, null);
  };
  try {
    return await importRecords(store, {
      ...importing,
      lines,
      onProgress,
      onFinishProgress,
      clock: systemClock,
    });
  } catch (error) {
    if (read.lines === 0 || error instanceof SilentExit) throw error;
    throw new CommandError(
      `${describeError(error)}\nThe first ${read.lines} lines are imported; ` +
        "run the command again to continue after them.",
    );
  } finally {
    progress.end();
    followUp?.end();
  }
}

function reportProblems(
  { problems, rejected, imported, updated, unchanged }: ImportOutcome,
  name: string,
  { stderr }: CliContext,
): void {
  if (rejected === 0) return;
  for (const { line, message } of problems.slice(0, shownProblems)) {
    stderr.write(`${name}:${line}: ${printable(message)}\n`);
  }
  const rest = problems.length - shownProblems;
  if (rest > 0) stderr.write(`and ${rest} more; --json lists all of them\n`);
  throw new CommandError(
    `${rejected} of ${imported + updated + unchanged + rejected} lines were rejected`,
    exitCodes.partial,
  );
}
