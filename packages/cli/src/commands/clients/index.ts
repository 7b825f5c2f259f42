import type { Command } from "commander";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { addCreateCommand } from "./create.ts";
import { addDeleteCommand } from "./delete.ts";
import { addListCommand } from "./list.ts";
import { addRotateCommand } from "./rotate.ts";

export function addClientsCommand(program: Command, surroundings: Surroundings): void {
  const clients = program
    .command("clients")
    .summary("make and manage API clients")
    .description(
      "Make and manage API clients: what a program signs in with. " +
        "A running server knows of every change at once.",
    );
  addCreateCommand(clients, surroundings);
  addListCommand(clients, surroundings);
  addRotateCommand(clients, surroundings);
  addDeleteCommand(clients, surroundings);
}
