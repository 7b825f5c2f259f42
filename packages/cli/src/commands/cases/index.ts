import type { Command } from "commander";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { addFilesCommand } from "./files.ts";

export function addCasesCommand(program: Command, surroundings: Surroundings): void {
  const command = program
    .command("cases")
    .description("List, show, add and save files of cases. Access tags do not apply to commands.");
  addFilesCommand(command, surroundings);
}
