import type { Command } from "commander";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { examples } from "../../options/examples.ts";
import { jsonOption } from "../../options/shared.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import { interruptible, shortPatience } from "../../terminal/interruptible.ts";
import { Progress } from "../../terminal/progress.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { fieldArgument, trigramsOf } from "./open-trigrams.ts";

type AddOptions = DatabaseOptions & ResultOptions;

export function addAddCommand(parent: Command, context: CliContext): void {
  const command = parent
    .command("add")
    .addArgument(fieldArgument())
    .summary("add an index to a field")
    .description(
      "Add an index of trigrams to a field. Servers may run and write meanwhile, and use the index within ten seconds. " +
        "If the command is interrupted, repeat it. The login needs the right to create the extensions pg_trgm and " +
        "btree_gin, unless the database has them.",
    )
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat trigrams add indicators.value"));
  addDatabaseOptions(command).action((field: string, options: AddOptions) =>
    interruptible(context, interrupted, (signal) => add(field, options, context, signal)),
  );
}

const interrupted = {
  // Nobody waits for the statement any more, but PostgreSQL goes on with it.
  state: () =>
    "PostgreSQL may go on creating the index: secplat trigrams list shows its state; if it is broken, run the command again",
  patience: shortPatience,
};

function add(
  field: string,
  options: AddOptions,
  context: CliContext,
  signal: AbortSignal,
): Promise<void> {
  return withStore({ ...options, create: false }, context, async (store) => {
    const progress = new Progress(context.stderr, "indexing pages of the table", { signal });
    const added = await trigramsOf(store)
      .add(field, (done, share) => progress.update(done, share))
      .finally(() => progress.end());
    printResult(context, options, { field, added }, () =>
      added
        ? `added an index of trigrams to ${field}; servers use it within ten seconds\n`
        : `${field} has an index of trigrams already\n`,
    );
  });
}
