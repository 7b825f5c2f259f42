import type { Command } from "commander";
import type { CliContext } from "../../terminal/cli-context.ts";
import { addCreateCommand } from "./create.ts";
import { addDownloadCommand } from "./download.ts";
import { addListCommand } from "./list.ts";

export function addExportsCommand(program: Command, context: CliContext): void {
  const command = program
    .command("exports")
    .description(
      "Export images, their packages, vulnerabilities and detections, and image policies, as CSV or JSON. " +
        "A server writes the file in the background.",
    );
  addCreateCommand(command, context);
  addListCommand(command, context);
  addDownloadCommand(command, context);
}
