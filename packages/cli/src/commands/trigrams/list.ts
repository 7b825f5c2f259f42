import type { Command } from "commander";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { examples } from "../../options/examples.ts";
import { jsonOption } from "../../options/shared.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { formatTable } from "../../terminal/table.ts";
import { trigramsOf } from "./open-trigrams.ts";

type ListOptions = DatabaseOptions & ResultOptions;

const columns = ["field", "state", "bytes"];

export function addListCommand(parent: Command, context: CliContext): void {
  const command = parent
    .command("list")
    .summary("list the indexes")
    .description(
      "List the indexes of trigrams with their sizes. State: ready, building, or broken (its creation was interrupted; " +
        "repeat `secplat trigrams add`).",
    )
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat trigrams list"));
  addDatabaseOptions(command).action((options: ListOptions) =>
    withStore({ ...options, create: false }, context, async (store) => {
      const indexes = await trigramsOf(store).list();
      printResult(context, options, indexes, () =>
        formatTable(
          columns,
          indexes.map((index) => ({ ...index })),
        ),
      );
    }),
  );
}
