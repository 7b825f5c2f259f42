import { retryDelivery, systemClock } from "@security-platform/server/internal";
import type { Command } from "commander";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { examples } from "../../options/examples.ts";
import { jsonOption } from "../../options/shared.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import { CommandError } from "../../terminal/exit-codes.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { readDelivery, requireDelivery } from "./find-delivery.ts";

export function addRetryCommand(deliveries: Command, context: CliContext): void {
  const command = deliveries
    .command("retry")
    .argument("<delivery>", "its id", readDelivery)
    .summary("send a failed message again")
    .description("Send a failed message again. It gets all its attempts again.")
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat deliveries retry 5d8c1e7fa2b34960b7d4c9e0f1a28364"));
  addDatabaseOptions(command).action((id: string, options: DatabaseOptions & ResultOptions) =>
    withStore({ ...options, create: false }, context, async (store) => {
      const delivery = await requireDelivery(store, id);
      if (!(await retryDelivery(store, delivery, systemClock.now()))) {
        const why =
          delivery.channel === null
            ? "its notification group no longer exists"
            : `it is ${delivery.state}`;
        throw new CommandError(`delivery ${id} cannot be sent again: ${why}`);
      }
      printResult(
        context,
        options,
        await requireDelivery(store, id),
        () => `delivery ${id} is queued again\n`,
      );
    }),
  );
}
