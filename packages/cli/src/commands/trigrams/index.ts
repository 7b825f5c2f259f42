import type { Command } from "commander";
import type { CliContext } from "../../terminal/cli-context.ts";
import { addAddCommand } from "./add.ts";
import { addListCommand } from "./list.ts";
import { addRemoveCommand } from "./remove.ts";

export function addTrigramsCommand(program: Command, context: CliContext): void {
  const trigrams = program
    .command("trigrams")
    .description(
      "Manage indexes of trigrams on PostgreSQL. Such an index finds parts of the texts of a field, such as " +
        "value:*'*.example.*', without reading every record. It makes changes slower and takes space, so add it only " +
        "for fields that filters search in this way.",
    );
  addListCommand(trigrams, context);
  addAddCommand(trigrams, context);
  addRemoveCommand(trigrams, context);
}
