import { createReadStream, statSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import {
  importKinds,
  importRecords,
  systemClock,
  type ImportKind,
} from "@security-platform/server";
import { Argument, type Command } from "commander";
import { addDatabaseOptions, withStore, type DatabaseOptions } from "../database.ts";
import { findTenant } from "../tenants.ts";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import { Progress } from "../terminal/progress.ts";
import type { Surroundings } from "../terminal/streams.ts";

interface ImportOptions extends DatabaseOptions {
  readonly tenant?: string;
  readonly json?: boolean;
}

const shownProblems = 20;

export function addImportCommand(
  program: Command,
  surroundings: Surroundings,
  setExitCode: (code: number) => void,
): void {
  const command = program
    .command("import")
    .addArgument(new Argument("<kind>", "what the lines are").choices([...importKinds]))
    .argument("<file>", "NDJSON, one record a line; - reads standard input")
    .description(
      "import records; lines that are there already are left alone, so it can be repeated",
    )
    .option("--tenant <tenant>", "cid or name of the tenant (default: the only one)")
    .option("--json", "print the outcome as JSON");
  addDatabaseOptions(command).action((kind: ImportKind, file: string, options: ImportOptions) =>
    withStore(options, surroundings, async (store) => {
      const { cid } = await findTenant(store, options.tenant);
      const source = openSource(file, surroundings.workingFolder);
      const progress = new Progress(surroundings.stderr, `importing ${kind}`);
      const outcome = await importRecords(store, {
        cid,
        kind,
        lines: createInterface({ input: source.stream, crlfDelay: Infinity }),
        clock: systemClock,
        onProgress: ({ lines }) => progress.update(lines, null),
      });
      progress.end();
      if (options.json === true) surroundings.stdout.write(`${JSON.stringify(outcome)}\n`);
      else {
        const counts = `${outcome.imported} imported, ${outcome.unchanged} unchanged, ${outcome.rejected} refused\n`;
        surroundings.stdout.write(counts);
        for (const { line, message } of outcome.problems.slice(0, shownProblems)) {
          surroundings.stderr.write(`line ${line}: ${message}\n`);
        }
        const rest = outcome.problems.length - shownProblems;
        if (rest > 0) surroundings.stderr.write(`and ${rest} more; --json lists them all\n`);
      }
      if (outcome.rejected > 0) setExitCode(exitCodes.partial);
    }),
  );
}

function openSource(
  file: string,
  workingFolder: string,
): { readonly stream: NodeJS.ReadableStream } {
  if (file === "-") return { stream: process.stdin };
  const path = resolve(workingFolder, file);
  try {
    if (!statSync(path).isFile()) throw new Error("not a file");
  } catch {
    throw new CommandError(`cannot read ${path}: it is not a readable file`, exitCodes.usage);
  }
  return { stream: createReadStream(path) };
}
