import type { Store } from "@security-platform/server/internal";
import type { Argument, Command } from "commander";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { examples } from "../../options/examples.ts";
import { jsonOption } from "../../options/shared.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { formatFacts } from "../../terminal/table.ts";

/** A `show` command, which prints all members of one record. */
export interface ShowCommand<Id> {
  readonly summary: string;
  readonly description: string;
  readonly id: Argument;
  readonly example: string;
  /** An error for an unknown id. */
  readonly find: (store: Store, id: Id) => Promise<object>;
}

export function addShowCommand<Id>(
  parent: Command,
  context: CliContext,
  { summary, description, id: argument, example, find }: ShowCommand<Id>,
): void {
  const command = parent
    .command("show")
    .addArgument(argument)
    .summary(summary)
    .description(description)
    .addOption(jsonOption())
    .addHelpText("after", examples(example));
  addDatabaseOptions(command).action((id: Id, options: DatabaseOptions & ResultOptions) =>
    withStore({ ...options, create: false }, context, async (store) => {
      const item = await find(store, id);
      printResult(context, options, item, () =>
        formatFacts(
          Object.entries(item).map(([name, value]: [string, unknown]) => [
            name.replaceAll("_", " "),
            typeof value === "object" && value !== null ? JSON.stringify(value) : value,
          ]),
        ),
      );
    }),
  );
}
