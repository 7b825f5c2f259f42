import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  backUp,
  systemClock,
  type ArchiveParts,
  type BackupSummary,
  type KeyFile,
  type SnapshotSummary,
} from "@security-platform/server/internal";
import type { Command } from "commander";
import {
  addFilesOption,
  openFiles,
  placeOfFiles,
  type FilesOptions,
} from "../../database/files.ts";
import { keyFileOf } from "../../database/keys.ts";
import { namingDatabase } from "../../database/naming-database.ts";
import { addDatabaseOptions, databaseLimits } from "../../database/options.ts";
import { databaseFile, databaseUrl, isInMemory, noDatabase } from "../../database/url.ts";
import { examples } from "../../options/examples.ts";
import { readText } from "../../options/read-text.ts";
import { jsonOption } from "../../options/shared.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { CommandError, exitCodes } from "../../terminal/exit-codes.ts";
import { interruptible } from "../../terminal/interruptible.ts";
import { printable } from "../../terminal/printable.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import { Progress } from "../../terminal/progress.ts";
import { version } from "../../version.ts";
import { describeBackup } from "./describe-backup.ts";
import { tellOfDrafts } from "./tell-of-drafts.ts";

interface WriteOptions extends FilesOptions, ResultOptions {
  readonly withoutFiles?: boolean;
  readonly withKeys?: boolean;
}

/** A command that writes an archive. */
interface WritingCommand {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** Before the name of the file in the examples. */
  readonly example: string;
  /** What its progress is called. */
  readonly label: string;
  readonly write: (parts: ArchiveParts) => Promise<BackupSummary | SnapshotSummary>;
}

export function addBackupCommand(program: Command, context: CliContext): void {
  addWritingCommand(program, context, {
    name: "backup",
    summary: "back up the database and the files",
    description:
      "Write the database as of one instant to a new file, with the files of all tenants, while servers go on. The " +
      "file is read again before it gets its name.",
    example: "secplat backup monday.tar",
    label: "backing up",
    write: (parts) => backUp({ ...parts, clock: systemClock }),
  });
}

export function addWritingCommand(
  program: Command,
  context: CliContext,
  { name, summary, description, example, label, write }: WritingCommand,
): void {
  const command = program
    .command(name)
    .summary(summary)
    .description(description)
    .argument("<file>", "new file, a tar archive", readText("a file"))
    .option("--without-files", "leave out the files, such as those of cases")
    .option("--with-keys", "include the keys of the secrets: anyone with the file can read these")
    .addOption(jsonOption())
    .addHelpText("after", examples(example, `${example} --without-files`));
  addFilesOption(addDatabaseOptions(command)).action(
    async (file: string, options: WriteOptions) => {
      const url = databaseUrl(options, context);
      if (isInMemory(url)) {
        throw new CommandError(
          "a database in memory exists only in its server; expected sqlite:<path> or postgres://user@host/name",
          exitCodes.usage,
        );
      }
      const sqlite = databaseFile(url);
      if (sqlite !== null && !existsSync(sqlite)) {
        throw noDatabase(sqlite, options);
      }
      const path = resolve(context.workingFolder, file);
      const parts: Omit<ArchiveParts, "onProgress"> = {
        url,
        path,
        databaseLimits: databaseLimits(options),
        blobs: options.withoutFiles === true ? null : openFiles(options, context),
        readKeys: options.withKeys === true ? () => keysText(keyFileOf(options, context)) : null,
        version: version(),
      };
      await tellOfDrafts(context, path);
      const interrupted = { state: () => `${printable(path)} was not written` };
      const written = await interruptible(context, interrupted, (signal) => {
        const progress = new Progress(context.stderr, label, { signal });
        const onProgress = (count: number): void => progress.update(count, null);
        const writing = namingDatabase(url, () => write({ ...parts, onProgress }));
        return writing.finally(() => progress.end());
      });
      printResult(context, options, { file: path, ...written }, () =>
        describeBackup(path, written),
      );
      // Beside SQLite, the files are in the folder of the database.
      if (written.files === 0 && sqlite === null) {
        context.stderr.write(
          `secplat: no files are in it, because ${placeOfFiles(options, context)} has none; if the servers keep theirs elsewhere, ` +
            "name the place with --data or --files\n",
        );
      }
    },
  );
}

function keysText(file: KeyFile): string {
  if (file.keys().length === 0) {
    throw new CommandError(`${file.source} does not exist or has no key; omit --with-keys`);
  }
  return readFileSync(file.path, "utf8");
}
