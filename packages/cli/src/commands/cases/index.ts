import type { Command } from "commander";
import type { CliContext } from "../../terminal/cli-context.ts";
import { addFilesCommand } from "./files.ts";

export function addCasesCommand(program: Command, context: CliContext): void {
  const command = program
    .command("cases")
    .description("List, show, add and save files of cases. Access tags do not apply to commands.");
  addFilesCommand(command, context);
}
