import type { Command } from "commander";
import type { CliContext } from "../../terminal/cli-context.ts";
import { addCheckCommand } from "./check.ts";
import { addPrintCommand } from "./print.ts";
import { addSchemaCommand } from "./schema.ts";

export function addConfigCommand(program: Command, context: CliContext): void {
  const config = program
    .command("config")
    .description(
      "Check and print the settings of a server. The command line comes before variables, and these before secplat.yaml.",
    );
  addCheckCommand(config, context);
  addPrintCommand(config, context);
  addSchemaCommand(config, context);
}
