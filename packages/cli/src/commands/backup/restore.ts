import { dirname, resolve } from "node:path";
import {
  restore,
  systemClock,
  type BackupSummary,
  type RestoreParts,
  type SnapshotSummary,
} from "@security-platform/server/internal";
import type { Command } from "commander";
import { addFilesOption, openFiles, type FilesOptions } from "../../database/files.ts";
import { makeFolder } from "../../database/folder.ts";
import type { FolderLock } from "../../database/folder-lock.ts";
import { keyFileOf } from "../../database/keys.ts";
import { missingKeys } from "../../database/missing-keys.ts";
import { namingDatabase } from "../../database/naming-database.ts";
import { addDatabaseOptions, databaseLimits } from "../../database/options.ts";
import { databaseFile, databaseUrl, isInMemory } from "../../database/url.ts";
import { examples } from "../../options/examples.ts";
import { readText } from "../../options/read-text.ts";
import { jsonOption } from "../../options/shared.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { CommandError, exitCodes } from "../../terminal/exit-codes.ts";
import { interruptible } from "../../terminal/interruptible.ts";
import { printable } from "../../terminal/printable.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import { Progress } from "../../terminal/progress.ts";
import { claimFolder } from "../serve/claim-folder.ts";
import { describeBackup } from "./describe-backup.ts";
import { tellOfDrafts } from "./tell-of-drafts.ts";

interface RestoreOptions extends FilesOptions, ResultOptions {
  readonly replace?: boolean;
  readonly withoutFiles?: boolean;
  readonly withKeys?: boolean;
}

/** A command that reads an archive into a database. */
interface ReadingCommand {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** What the archive is. */
  readonly kind: string;
  /** Before the options in the examples. */
  readonly example: string;
  readonly read: (parts: RestoreParts) => Promise<BackupSummary | SnapshotSummary>;
}

export function addRestoreCommand(program: Command, context: CliContext): void {
  addReadingCommand(program, context, {
    name: "restore",
    summary: "restore a backup",
    description:
      "Restore a backup, after all of it has been checked. The database is replaced at once; if anything fails, it is " +
      "unchanged. Servers must not run. Files and keys are added, and none is removed.",
    kind: "backup",
    example: "secplat restore monday.tar",
    read: restore,
  });
}

export function addReadingCommand(
  program: Command,
  context: CliContext,
  { name, summary, description, kind, example, read }: ReadingCommand,
): void {
  const command = program
    .command(name)
    .summary(summary)
    .description(description)
    .argument("<file>", kind, readText("a file"))
    .option("--replace", "replace a database that is not empty")
    .option("--without-files", "leave out the files")
    .option("--with-keys", `add the keys of the ${kind} to the key file`)
    .addOption(jsonOption())
    .addHelpText("after", examples(example, `${example} --replace --with-keys`));
  addFilesOption(addDatabaseOptions(command)).action(
    async (file: string, options: RestoreOptions) => {
      const url = databaseUrl(options, context);
      if (isInMemory(url)) {
        throw new CommandError(
          "a database in memory ends with its process; expected sqlite:<path> or postgres://user@host/name",
          exitCodes.usage,
        );
      }
      const path = resolve(context.workingFolder, file);
      const target = databaseFile(url);
      if (target !== null) await tellOfDrafts(context, target);
      const interrupted = { state: () => "the database and its files are unchanged" };
      const restoring = async (signal: AbortSignal): Promise<void> => {
        const progress = new Progress(context.stderr, "checking", { signal });
        const held: { lock?: FolderLock } = {};
        try {
          const parts: RestoreParts = {
            url,
            path,
            databaseLimits: databaseLimits(options),
            blobs: options.withoutFiles === true ? null : openFiles(options, context),
            ...(options.withKeys === true
              ? { takeKeys: (text) => void keysOf(options, context).merge(text) }
              : {}),
            replace: options.replace === true,
            clock: systemClock,
            beforeChange: async () => {
              held.lock = await claimFolder(options, context);
              if (target !== null) makeFolder(dirname(target));
            },
            signal,
            onProgress: (share) => progress.update(Math.round(share * 100), share),
          };
          const loaded = await namingDatabase(url, () => read(parts));
          progress.end();
          printResult(context, options, { file: path, ...loaded }, () =>
            describeBackup(path, loaded),
          );
          const missing = await missingKeys(options, context);
          if (missing.length > 0) {
            const keys = keyFileOf(options, context);
            const cure =
              keys.keys().length === 0
                ? `copy the secrets.key of the ${kind}'s server to ${printable(keys.path)}`
                : `add ${missing.join(" and ")} from the secrets.key of the ${kind}'s server to ${printable(keys.path)}`;
            context.stderr.write(`secplat: the secrets in the database need their keys: ${cure}\n`);
          }
        } finally {
          progress.end();
          held.lock?.release();
        }
      };
      await interruptible(context, interrupted, restoring);
    },
  );
}

function keysOf(options: FilesOptions, context: CliContext) {
  const file = keyFileOf(options, context);
  makeFolder(dirname(file.path));
  return file;
}
