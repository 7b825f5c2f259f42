import type { Command } from "commander";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { addListCommand } from "./list.ts";
import { addRetryCommand } from "./retry.ts";
import { addShowCommand } from "./show.ts";

export function addDeliveriesCommand(program: Command, surroundings: Surroundings): void {
  const command = program
    .command("deliveries")
    .summary("look after notifications about cases")
    .description(
      "List the messages sent to notification groups, show one with its attempts, and send one again " +
        "that has failed.",
    );
  addListCommand(command, surroundings);
  addShowCommand(command, surroundings);
  addRetryCommand(command, surroundings);
}
