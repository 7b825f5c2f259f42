import { dirname } from "node:path";
import type { Command } from "commander";
import { makeFolder } from "../../database/folder.ts";
import { keyFileOf } from "../../database/keys.ts";
import { examples } from "../../options/examples.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { jsonOption } from "../../options/shared.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import type { CliContext } from "../../terminal/cli-context.ts";

type AddOptions = DatabaseOptions & ResultOptions;

export function addAddCommand(parent: Command, context: CliContext): void {
  const command = parent
    .command("add")
    .summary("add a new key to the key file")
    .description(
      "Add a new key to the key file, and create the file if it is missing. Nothing uses the key before " +
        "`secplat keys rotate`. If servers run on several machines, copy the file to all of them in between.",
    )
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat keys add --secrets-key /etc/secplat/secrets.key"));
  addDatabaseOptions(command).action((options: AddOptions) => {
    const file = keyFileOf(options, context);
    makeFolder(dirname(file.path));
    const { id } = file.add();
    printResult(
      context,
      options,
      { id, file: file.path },
      () => `added the key ${id} to ${file.path}\n`,
    );
  });
}
