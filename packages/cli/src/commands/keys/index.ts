import type { Command } from "commander";
import type { CliContext } from "../../terminal/cli-context.ts";
import { addAddCommand } from "./add.ts";
import { addListCommand } from "./list.ts";
import { addRemoveCommand } from "./remove.ts";
import { addRotateCommand } from "./rotate.ts";

export function addKeysCommand(program: Command, context: CliContext): void {
  const keys = program
    .command("keys")
    .description(
      "Manage the keys that encrypt secrets in the database, such as passwords of registries. The keys are " +
        "in a file outside the database; without it the secrets are lost, so keep a copy of it. " +
        "Commands print ids of keys, never the keys.",
    );
  addListCommand(keys, context);
  addAddCommand(keys, context);
  addRotateCommand(keys, context);
  addRemoveCommand(keys, context);
}
