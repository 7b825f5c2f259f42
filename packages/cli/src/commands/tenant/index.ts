import { Option, type Command } from "commander";
import { addConnectionOptions } from "../../api/connection.ts";
import { examples } from "../../options/examples.ts";
import { jsonOption } from "../../options/shared.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { readKinds } from "./read-kinds.ts";
import type { ComparisonOptions, FolderOptions, ImportOptions } from "./run.ts";

export function addTenantCommand(program: Command, context: CliContext): void {
  const tenant = program
    .command("tenant")
    .description("Keep the configuration of a tenant as a folder of YAML files, such as in git.");
  addExport(tenant, context);
  addImport(tenant, context);
  addDiff(tenant, context);
}

function addExport(tenant: Command, context: CliContext): void {
  addFolderOptions(
    tenant
      .command("export")
      .argument("<folder>", "folder to write to; it is created if it does not exist")
      .summary("write the configuration of a tenant to a folder")
      .description(
        "Write the configuration of a tenant to a folder: one YAML file a record, with names instead of ids. " +
          "Files that describe a record keep their name and their comments. Secrets are not exported.",
      )
      .option("--prune", "delete the files of records that the tenant does not have"),
    "all scopes for reading",
  )
    .addHelpText(
      "after",
      examples(
        "secplat tenant export config",
        "secplat tenant export config --only host-groups,prevention-policies",
      ),
    )
    .action(async (folder: string, options: FolderOptions) => {
      const { exportTenant } = await import("./run.ts");
      await exportTenant(folder, options, context);
    });
}

function addImport(tenant: Command, context: CliContext): void {
  addFolderOptions(
    tenant
      .command("import")
      .argument("<folder>", "folder that `secplat tenant export` has written")
      .summary("make a tenant as a folder describes it")
      .description(
        "Create and update records of a tenant as the files of a folder describe them. Shows all changes first, " +
          "and asks. All files are checked before anything is changed. An interrupted import can be started again.",
      )
      .option("--prune", "delete the records that the folder does not describe")
      .option("--dry-run", "show the changes, and change nothing")
      .option("--yes", "do not ask; required if there is no terminal"),
    "all scopes for reading and writing",
  )
    .addHelpText(
      "after",
      examples(
        "secplat tenant import config --dry-run",
        "secplat tenant import config --profile staging",
        "secplat tenant import config --prune --yes",
      ),
    )
    .action(async (folder: string, options: ImportOptions) => {
      const { importTenant } = await import("./run.ts");
      await importTenant(folder, options, context);
    });
}

function addDiff(tenant: Command, context: CliContext): void {
  addFolderOptions(
    tenant
      .command("diff")
      .argument("<folder>", "folder that `secplat tenant export` has written")
      .summary("show how a tenant differs from a folder")
      .description(
        "Show what `secplat tenant import --prune` would change. Records that only the tenant has are differences.",
      ),
    "all scopes for reading",
  )
    .addHelpText(
      "after",
      `${examples("secplat tenant diff config")}

Exit codes:
  ${exitCodes.success}  the tenant is as the folder describes it
  ${exitCodes.failure}  there are differences
  ${exitCodes.usage}  they could not be compared; see standard error`,
    )
    .action(async (folder: string, options: ComparisonOptions) => {
      const { diffTenant } = await import("./run.ts");
      await diffTenant(folder, options, context);
    });
}

const addFolderOptions = (command: Command, scopes: string): Command =>
  addConnectionOptions(
    command
      .addOption(
        new Option(
          "--only <kinds>",
          "only these kinds of records, separated by commas (default: all)",
        ).argParser(readKinds),
      )
      .addOption(jsonOption()),
    scopes,
  );
