import type { Command } from "commander";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { examples } from "../../options/examples.ts";
import { jsonOption } from "../../options/shared.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { fieldArgument, trigramsOf } from "./open-trigrams.ts";

type RemoveOptions = DatabaseOptions & ResultOptions;

export function addRemoveCommand(parent: Command, context: CliContext): void {
  const command = parent
    .command("remove")
    .addArgument(fieldArgument())
    .summary("remove the index of a field")
    .description(
      "Remove the index of trigrams of a field. Servers may run and write meanwhile: their filters find the same, but " +
        "read every record.",
    )
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat trigrams remove indicators.value"));
  addDatabaseOptions(command).action((field: string, options: RemoveOptions) =>
    withStore({ ...options, create: false }, context, async (store) => {
      const removed = await trigramsOf(store).remove(field);
      printResult(context, options, { field, removed }, () =>
        removed
          ? `removed the index of trigrams of ${field}\n`
          : `${field} has no index of trigrams\n`,
      );
    }),
  );
}
