import type { Command } from "commander";
import type { CliContext } from "../../terminal/cli-context.ts";
import { addCreateCommand } from "./create.ts";
import { addDeleteCommand } from "./delete.ts";
import { addListCommand } from "./list.ts";
import { addRotateCommand } from "./rotate.ts";

export function addClientsCommand(program: Command, context: CliContext): void {
  const clients = program
    .command("clients")
    .description(
      "Create and manage API clients: the credentials of programs. " +
        "A running server applies every change at once.",
    );
  addCreateCommand(clients, context);
  addListCommand(clients, context);
  addRotateCommand(clients, context);
  addDeleteCommand(clients, context);
}
