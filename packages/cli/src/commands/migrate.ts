import type { Command } from "commander";
import { withStore } from "../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../database/options.ts";
import { examples } from "../options/examples.ts";
import { jsonOption } from "../options/shared.ts";
import type { CliContext } from "../terminal/cli-context.ts";
import { printResult, type ResultOptions } from "../terminal/print-result.ts";
import { interruptible, shortPatience } from "../terminal/interruptible.ts";
import { Progress } from "../terminal/progress.ts";

interface MigrateOptions extends DatabaseOptions, ResultOptions {
  readonly finish?: boolean;
}

export function addMigrateCommand(program: Command, context: CliContext): void {
  const command = program
    .command("migrate")
    .description(
      "Bring the tables and records of the database to this version, as the first start of a server does. Servers of " +
        "the version before may run meanwhile, and go on afterwards. With --finish, end the upgrade once none of them is " +
        "left: what they have written meanwhile is brought to this version, and changes follow that they cannot work with.",
    )
    .option("--finish", "end the upgrade; no server of an earlier version may run")
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat migrate", "secplat migrate --finish"));
  addDatabaseOptions(command).action((options: MigrateOptions) =>
    interruptible(context, interrupted, (signal) => migrate(options, context, signal)),
  );
}

const interrupted = {
  state: () =>
    "each step was done completely or not at all; run the command again to do the others",
  patience: shortPatience,
};

function migrate(options: MigrateOptions, context: CliContext, signal: AbortSignal): Promise<void> {
  return withStore({ ...options, create: false }, context, async (store) => {
    signal.throwIfAborted();
    const finished = options.finish === true;
    if (finished) {
      const progress = new Progress(context.stderr, "upgrading records", { signal });
      await store
        .finishUpgrade(({ read }) => progress.update(read, null))
        .finally(() => progress.end());
    }
    printResult(context, options, { finished }, () =>
      finished
        ? "the upgrade is finished\n"
        : "the database has the tables and records of this version; servers of the version before may go on\n" +
          "once none of them is left: secplat migrate --finish\n",
    );
  });
}
