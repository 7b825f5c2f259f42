import type { Command } from "commander";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { addCreateCommand } from "./create.ts";
import { addDeleteCommand } from "./delete.ts";
import { addListCommand } from "./list.ts";
import { addRotateCommand } from "./rotate.ts";

export function addClientsCommand(program: Command, surroundings: Surroundings): void {
  const clients = program
    .command("clients")
    .description(
      "Create and manage API clients: the credentials of programs. " +
        "A running server applies every change at once.",
    );
  addCreateCommand(clients, surroundings);
  addListCommand(clients, surroundings);
  addRotateCommand(clients, surroundings);
  addDeleteCommand(clients, surroundings);
}
