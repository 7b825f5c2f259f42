import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import {
  addCaseFile,
  CaseFileError,
  findCaseFile,
  listCaseFiles,
  openCaseFile,
  systemClock,
  type CaseFile,
  type Store,
} from "@security-platform/server/internal";
import { Argument, Option, type Command } from "commander";
import { addFilesOption, openFiles, type FilesOptions } from "../../database/files.ts";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions } from "../../database/options.ts";
import { openInput } from "../../input/open-input.ts";
import { examples } from "../../options/examples.ts";
import { offeringListed } from "../../options/offering-listed.ts";
import { readText } from "../../options/read-text.ts";
import { jsonOption, tenantOption } from "../../options/shared.ts";
import { chosenTenant } from "../../tenants.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import { CommandError } from "../../terminal/exit-codes.ts";
import { printable } from "../../terminal/printable.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { writeWholeFile } from "../../terminal/whole-file.ts";
import { addListCommand } from "../listed/list-command.ts";
import { addShowCommand } from "../listed/show-command.ts";

interface AddOptions extends FilesOptions, ResultOptions {
  readonly tenant?: string;
  readonly description: string;
  readonly name?: string;
}

type SaveOptions = FilesOptions & ResultOptions & { readonly force?: boolean };

const fileId = (): Argument =>
  new Argument("<file>", "its id").argParser(
    offeringListed(readText("the id of a file"), "cases files list", "id"),
  );

export function addFilesCommand(cases: Command, context: CliContext): void {
  const files = cases
    .command("files")
    .summary("list, show, add and save files of cases")
    .description("List, show, add and save files of cases.");
  addListCommand(files, context, {
    summary: "list the files",
    description: "List the files of cases, newest first.",
    plural: "files",
    tenant: "the tenant",
    only: new Option("--case <id>", "only files of this case").argParser(
      readText("the id of a case"),
    ),
    columns: ["id", "uploaded_on", "case_id", "name", "file_type", "file_size", "status"],
    examples: ["secplat cases files list", "secplat cases files list --json | jq -r '.[].name'"],
    find: (store, { cid, only: caseId, limit }) =>
      listCaseFiles(store, systemClock.now(), { cid, caseId, limit }),
  });
  addShowCommand(files, context, {
    summary: "show one file",
    description: "Show all details of one file.",
    id: fileId(),
    example: "secplat cases files show 5d8c1e7fa2b34960b7d4c9e0f1a28364",
    find: requireFile,
  });
  addAddCommand(files, context);
  addSaveCommand(files, context);
}

function addAddCommand(files: Command, context: CliContext): void {
  const command = files
    .command("add")
    .argument("<case>", "id or reference id of the case", readText("the id of a case"))
    .argument("<path>", "the file")
    .summary("add a file to a case")
    .description("Add a file to a case. It is copied into the object store.")
    .option("--description <text>", "description of the file", "")
    .option("--name <name>", "name of the file (default: as in its path)")
    .addOption(tenantOption())
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat cases files add CSE-12 memory.dmp"));
  addFilesOption(addDatabaseOptions(command)).action(
    (caseId: string, path: string, options: AddOptions) =>
      withStore({ ...options, create: false }, context, async (store) => {
        const { cid } = await chosenTenant(store, options, context);
        const blobs = openFiles(options, context);
        const { description, name = basename(path) } = options;
        const { chunks: content } = openInput(path, context);
        const added = await explained(() =>
          addCaseFile(
            { store, blobs, now: systemClock.now() },
            { cid, caseId, name, description, content },
          ),
        );
        printResult(
          context,
          options,
          added,
          () => `${printable(added.name)} is file ${added.id}, ${added.file_type ?? ""}\n`,
        );
      }),
  );
}

function addSaveCommand(files: Command, context: CliContext): void {
  const command = files
    .command("save")
    .addArgument(fileId())
    .argument("[path]", "where to (default: its name, in the working folder)")
    .summary("save the content of a file")
    .description("Save the content of a file. An existing file is kept, unless --force is set.")
    .option("--force", "replace an existing file")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples("secplat cases files save 5d8c1e7fa2b34960b7d4c9e0f1a28364 evidence.zip"),
    );
  addFilesOption(addDatabaseOptions(command)).action(
    (id: string, path: string | undefined, options: SaveOptions) =>
      withStore({ ...options, create: false }, context, async (store) => {
        const file = await requireFile(store, id);
        const target = resolve(context.workingFolder, path ?? file.name);
        if (options.force !== true && existsSync(target)) {
          throw new CommandError(`${target} exists already; replace it with --force`);
        }
        await writeWholeFile(target, async (append) => {
          const blobs = openFiles(options, context);
          const content = await explained(() => openCaseFile(blobs, file));
          for await (const chunk of content) await append(chunk as Buffer);
        });
        printResult(context, options, { ...file, path: target }, () => `saved as ${target}\n`);
      }),
  );
}

async function requireFile(store: Store, id: string): Promise<CaseFile> {
  const file = await findCaseFile(store, id, systemClock.now());
  if (file !== null) return file;
  throw new CommandError(`there is no file ${id} (secplat cases files list shows them)`);
}

/** Errors of the platform become errors of the command. */
async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof CaseFileError ? new CommandError(error.message) : error;
  }
}
