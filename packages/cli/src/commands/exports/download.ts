import { Option, type Command } from "commander";
import { addConnectionOptions, withClient } from "../../api/connection.ts";
import type { ConnectionOptions } from "../../api/resolve-connection.ts";
import { examples } from "../../options/examples.ts";
import { readText } from "../../options/read-text.ts";
import { jsonOption } from "../../options/shared.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { saveExport, waitForExport } from "./save-export.ts";

interface DownloadOptions extends ConnectionOptions, ResultOptions {
  readonly output: string;
  readonly wait?: boolean;
}

export function addDownloadCommand(exports: Command, context: CliContext): void {
  const command = exports
    .command("download")
    .summary("save the file of an export")
    .description("Save the file of a finished export. Files are kept for seven days.")
    .argument("<export>", "its id", readText("the id of an export"))
    .addOption(
      new Option("--output <file>", "where to save it")
        .makeOptionMandatory()
        .argParser(readText("a file"))
        .helpGroup("Output:"),
    )
    .option("--wait", "wait until the export is done")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        "secplat exports download 5d8c1e7fa2b34960b7d4c9e0f1a28364 --output critical.csv --wait",
      ),
    );
  addConnectionOptions(command, "the scope container-image:read").action(
    (id: string, options: DownloadOptions) =>
      withClient(options, context, async (client) => {
        const { output, wait } = options;
        if (wait === true) await waitForExport(client, id, context);
        const bytes = await saveExport(client, id, output, context);
        printResult(context, options, { id, bytes }, () => `${bytes} bytes saved to ${output}\n`);
      }),
  );
}
