import { constants } from "node:fs";
import { join, resolve } from "node:path";
import {
  BlobStoreError,
  openBlobs,
  systemClock,
  type DiskBlobs,
} from "@security-platform/server/internal";
import type { Command } from "commander";
import { addSettings } from "../settings/setting.ts";
import { filesSettings } from "../settings/table.ts";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import { folderProblem } from "../terminal/folder-problem.ts";
import { printable } from "../terminal/printable.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import type { DatabaseOptions } from "./options.ts";
import { dataFolder } from "./url.ts";

export interface FilesOptions extends DatabaseOptions {
  readonly files?: string;
}

/** `--files`, the same on every command that opens the object store. */
export const addFilesOption = (command: Command): Command => addSettings(command, filesSettings);

/** The folder with the files, unless there is `--files`. */
const filesFolder = (options: DatabaseOptions, context: CliContext): string =>
  join(dataFolder(options, context), "blobs");

/** Where the files are, for messages. The URL of an object store may have secrets. */
export const placeOfFiles = (options: FilesOptions, context: CliContext): string =>
  options.files === undefined
    ? printable(filesFolder(options, context))
    : "the place that --files names";

/** The object store of the database: that of `--files`, or a folder in the data folder. */
export function openFiles(options: FilesOptions, context: CliContext): DiskBlobs {
  const { environment, workingFolder } = context;
  const { files = `file:${filesFolder(options, context)}` } = options;
  const folder = /^file:(?<path>.+)$/s.exec(files)?.groups?.["path"];
  const place = folder === undefined ? null : resolve(workingFolder, folder);
  const problem =
    options.files === undefined || place === null ? null : folderProblem(place, constants.F_OK);
  if (problem !== null) {
    throw new CommandError(
      `--files: ${printable(place ?? "")} cannot be used: ${printable(problem)}; choose another folder`,
      exitCodes.usage,
    );
  }
  const {
    AWS_ACCESS_KEY_ID: accessKeyId = "",
    AWS_SECRET_ACCESS_KEY: secretAccessKey = "",
    AWS_SESSION_TOKEN: sessionToken,
  } = environment;
  try {
    return openBlobs({
      url: place === null ? files : `file:${place}`,
      clock: systemClock,
      ...(accessKeyId === "" || secretAccessKey === ""
        ? {}
        : {
            credentials: {
              accessKeyId,
              secretAccessKey,
              ...(sessionToken === undefined ? {} : { sessionToken }),
            },
          }),
    });
  } catch (error) {
    if (!(error instanceof BlobStoreError)) throw error;
    throw new CommandError(`--files: ${error.message}`, exitCodes.usage);
  }
}
